const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');

const jest = require.resolve('jest/bin/jest');
const MINUTES = { fast: 10, full: 30, long: 300 };

/**
 * Runs the test files of a proof at this scale, in the copy of the tree at `cwd` if it is given. Returns the numbers of
 * tests, the figures and, if it failed, the messages.
 */
async function runProof({ files }, { scale, cwd }) {
  const directory = new ScratchDirectory('prove');
  const report = join(directory.path, 'report.json');
  const figures = join(directory.path, 'figures');
  const started = Date.now();
  const args = ['--config', 'test/prove/jest.config.js', '--forceExit', '--json', `--outputFile=${report}`];
  const env = { PROVE_SCALE: scale, PROVE_FIGURES: figures };
  const options = { env, minutes: MINUTES[scale], ...(cwd && { cwd }) };
  try {
    const crash = await runCommand(process.execPath, [jest, ...args, ...files], options).then(
      () => undefined,
      (error) => error,
    );
    const counted = existsSync(report)
      ? summary(JSON.parse(readFileSync(report, 'utf8')), crash)
      : { passed: 0, failed: 1, crashed: true, output: crash?.message ?? 'jest wrote no report.' };
    return {
      ok: counted.failed === 0 && counted.passed > 0,
      ...counted,
      seconds: Math.round((Date.now() - started) / 1000),
      figures: existsSync(figures) ? linesOf(figures) : [],
    };
  } finally {
    await directory.remove();
  }
}

function summary(report, crash) {
  const crashed = report.numRuntimeErrorTestSuites;
  const failed = report.numFailedTests + crashed;
  const broken = report.testResults.filter(({ status }) => status === 'failed');
  const output =
    broken.map(({ name, message }) => `${name}\n${message}`).join('\n') || (crash?.message ?? '');
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && crash ? 1 : failed,
    crashed: crashed > 0,
    output: stripVTControlCharacters(output),
  };
}

function linesOf(path) {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

module.exports = { runProof };
