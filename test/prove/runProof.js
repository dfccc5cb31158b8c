const { existsSync, mkdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { runJest } = require('../steps/runJest');
const { ScratchDirectory } = require('../ScratchDirectory');

const MINUTES = { fast: 10, full: 45, long: 300 };

/**
 * Runs the test files of a proof at this scale, in the copy of the tree at `cwd` if it is given. What their fixtures
 * receive from panels is kept in a folder of `kept`, by default for this proof alone. With `planted`, no test runs after
 * the first that fails. Returns the numbers of tests, the figures and, if it failed, the messages.
 */
async function runProof({ name, files }, { scale, cwd, kept, planted = false }) {
  const directory = new ScratchDirectory('prove');
  const figures = join(directory.path, 'figures');
  const own = join(kept ?? join(directory.path, 'kept'), name);
  mkdirSync(own, { recursive: true });
  const started = Date.now();
  try {
    const result = await runJest({
      config: 'test/prove/jest.config.js',
      // A test that a fault interrupts may leave something open.
      args: ['--forceExit'],
      paths: files,
      minutes: MINUTES[scale],
      env: {
        PROVE_SCALE: scale,
        PROVE_FIGURES: figures,
        PROVE_KEPT: own,
        ...(planted && { PROVE_PLANTED: 'yes' }),
      },
      ...(cwd && { cwd }),
    });
    return {
      ok: result.failed === 0 && result.skipped === 0 && result.passed > 0,
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
