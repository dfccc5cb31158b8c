const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

// What the first run, which has no mutant and runs all tests, has seen of each test file: the full names of its tests,
// and its time in milliseconds. It is kept in files, because Stryker starts more than one process.

/** The record of a test file; undefined before the first run. */
function recordOf(rootDir, testPath) {
  const path = pathOf(rootDir, testPath);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function record(rootDir, testPath, { names, milliseconds }) {
  const path = pathOf(rootDir, testPath);
  if (!existsSync(path)) writeFileSync(path, JSON.stringify({ names, milliseconds }));
}

function pathOf(rootDir, testPath) {
  return join(rootDir, `tests-${createHash('sha256').update(testPath).digest('hex')}.json`);
}

module.exports = { record, recordOf };
