const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { runCommand } = require('../runCommand');
const { reasonsIn } = require('../missing');
const { ScratchDirectory } = require('../ScratchDirectory');

const jest = require.resolve('jest/bin/jest');

/**
 * Runs the test files below `paths`, or all of the configuration, in at most so many minutes. Returns the number of
 * passed, failed and skipped tests, whether a file could not be run at all, the messages of those that failed, and why
 * others were left out.
 */
async function runJest({
  config = 'test/jest.config.js',
  args = [],
  paths = [],
  minutes = 30,
  env,
  ...options
} = {}) {
  const directory = new ScratchDirectory('jest');
  const report = join(directory.path, 'report.json');
  const leftOut = join(directory.path, 'left-out');
  const words = ['--config', config, '--json', `--outputFile=${report}`, ...args, ...paths];
  try {
    const crash = await runCommand(process.execPath, [jest, ...words], {
      minutes,
      env: { ...env, TEST_LEFT_OUT: leftOut },
      ...options,
    }).then(
      () => undefined,
      (error) => error,
    );
    if (existsSync(report))
      return { ...summary(JSON.parse(readFileSync(report, 'utf8')), crash), leftOut: reasonsIn(leftOut) };
    const output = crash?.message ?? 'jest wrote no report.';
    return { passed: 0, failed: 1, skipped: 0, crashed: true, output: stripVTControlCharacters(output) };
  } finally {
    await directory.remove();
  }
}

function summary(report, crash) {
  const crashed = report.numRuntimeErrorTestSuites;
  const failed = report.numFailedTests + crashed;
  const broken = report.testResults.filter(({ status }) => status === 'failed');
  const messages = broken.map(({ name, message }) => `${name}\n${message}`).join('\n');
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && crash ? 1 : failed,
    skipped: report.numPendingTests,
    crashed: crashed > 0,
    output: stripVTControlCharacters(messages || (crash?.message ?? '')),
  };
}

module.exports = { runJest };
