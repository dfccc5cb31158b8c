const { cpSync, symlinkSync } = require('node:fs');
const { dirname, join } = require('node:path');

/**
 * Copies folders of this one to where the panel's database is, one over the other, and returns the path. The builds of
 * frameworks take a folder below node_modules for a package.
 */
exports.copied = (...names) => {
  const dir = join(dirname(process.argv[2]), names[0]);
  for (const name of names) cpSync(join(__dirname, name), dir, { recursive: true });
  symlinkSync(join(__dirname, 'node_modules'), join(dir, 'node_modules'));
  return dir;
};
