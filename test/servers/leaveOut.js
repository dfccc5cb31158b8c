const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, sep } = require('node:path');

const tests = dirname(__dirname) + sep;
const seen = new Map();

/**
 * Jest's `filter` of the unit tests. It omits test files that need a server, a browser or a build: those whose imports
 * lead into this folder, directly or through other files of the tests.
 */
module.exports = async function leaveOut(files) {
  const filtered = files.filter((file) => !needsServer(file));
  const rest = files.length - filtered.length;
  console.error(
    `${filtered.length} test files need no server. npm test and npm run test:one run the other ${rest}.`,
  );
  return { filtered };
};

function needsServer(file) {
  if (dirname(file) === __dirname) return true;
  if (!seen.has(file)) {
    seen.set(file, false); // Two files may import each other.
    seen.set(file, importsOf(file).some(needsServer));
  }
  return seen.get(file);
}

/** The files of the tests that a file imports, except for types. */
function importsOf(file) {
  const code = readFileSync(file, 'utf8').replace(/^import type [^;]+;/gm, '');
  return [...code.matchAll(/'(\.\.?\/[^']+)'/g)]
    .flatMap(([, path]) => ['.ts', '.js', ''].map((end) => join(dirname(file), path + end)))
    .filter((path) => path.startsWith(tests) && /\.[jt]s$/.test(path) && existsSync(path));
}
