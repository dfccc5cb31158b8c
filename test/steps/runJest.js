const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const { runCommand } = require('../runCommand');
const { ScratchDirectory } = require('../ScratchDirectory');

const jest = require.resolve('jest/bin/jest');

/**
 * Runs the test files below `paths`, or all of the configuration, in at most so many minutes. Returns the number of
 * passed and failed tests, whether a file could not be run at all, and the messages of those that failed.
 */
async function runJest({
  config = 'test/jest.config.js',
  args = [],
  paths = [],
  minutes = 30,
  ...options
} = {}) {
  const directory = new ScratchDirectory('jest');
  const report = join(directory.path, 'report.json');
  const words = ['--config', config, '--json', `--outputFile=${report}`, ...args, ...paths];
  try {
    const crash = await runCommand(process.execPath, [jest, ...words], { minutes, ...options }).then(
      () => undefined,
      (error) => error,
    );
    if (existsSync(report)) return summary(JSON.parse(readFileSync(report, 'utf8')), crash);
    const output = crash?.message ?? 'jest wrote no report.';
    return { passed: 0, failed: 1, crashed: true, output: stripVTControlCharacters(output) };
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
    crashed: crashed > 0,
    output: stripVTControlCharacters(messages || (crash?.message ?? '')),
  };
}

module.exports = { runJest };
