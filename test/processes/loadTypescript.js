const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');
const { transform } = require('../jest.config.js');

// What jest does to a file, for a process of our own: it runs the sources, never a build that may be older.
const [[, options]] = Object.values(transform);

require.extensions['.ts'] = (module, filename) => {
  const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
  module._compile(code, filename);
};
