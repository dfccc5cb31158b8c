const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { ScratchDirectory } = require('../ScratchDirectory');
const { runCommand } = require('../runCommand');

/** Runs every test file. Returns the number of passed and failed tests, and the messages of the failed ones. */
async function runJest() {
  const directory = new ScratchDirectory('jest');
  const report = join(directory.path, 'report.json');
  try {
    const args = [
      require.resolve('jest/bin/jest'),
      '--config',
      'test/jest.config.js',
      '--json',
      `--outputFile=${report}`,
    ];
    const crash = await runCommand(process.execPath, args, { minutes: 30 }).then(
      () => undefined,
      (error) => error,
    );
    if (!existsSync(report)) throw crash ?? new Error('jest wrote no report.');
    return summary(JSON.parse(readFileSync(report, 'utf8')), crash);
  } finally {
    await directory.remove();
  }
}

function summary(report, crash) {
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  if (crash && failed === 0) throw crash;
  const broken = report.testResults.filter((suite) => suite.status === 'failed');
  return { passed, failed, output: broken.map(({ name, message }) => `${name}\n${message}`).join('\n') };
}

module.exports = { runJest };
