const { existsSync, mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { runJest } = require('../steps/runJest');
const { ScratchDirectory } = require('../ScratchDirectory');

const MINUTES = { fast: 10, full: 30, long: 300 };

/**
 * Runs the test files of a proof at this scale, in the copy of the tree at `cwd` if it is given. What their fixtures
 * receive from panels is kept in the directory `kept`, if it is given, for the proofs that follow. Returns the numbers of
 * tests, the figures and, if it failed, the messages.
 */
async function runProof({ files }, { scale, cwd, kept }) {
  const directory = new ScratchDirectory('prove');
  const figures = join(directory.path, 'figures');
  const own = join(directory.path, 'kept');
  mkdirSync(own);
  const started = Date.now();
  try {
    const result = await runJest({
      config: 'test/prove/jest.config.js',
      // A test that a fault interrupts may leave something open.
      args: ['--forceExit'],
      paths: files,
      minutes: MINUTES[scale],
      env: { PROVE_SCALE: scale, PROVE_FIGURES: figures, PROVE_KEPT: kept ?? own },
      ...(cwd && { cwd }),
    });
    return {
      ok: result.failed === 0 && result.passed > 0,
      ...result,
      seconds: Math.round((Date.now() - started) / 1000),
      figures: existsSync(figures) ? linesOf(figures) : [],
    };
  } finally {
    await directory.remove();
  }
}

function linesOf(path) {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

module.exports = { runProof };
