const { join } = require('node:path');

/** Where the programs of the protocol's makers are installed. Every `npm install` keeps this folder. */
exports.folder = join(__dirname, '..', '..', 'node_modules', '.cache', 'protocol');

/** No devDependencies: 140 MB, for this one test. */
exports.packages = {
  '@modelcontextprotocol/conformance': '0.1.16',
  '@modelcontextprotocol/inspector': '2.12.0',
};
