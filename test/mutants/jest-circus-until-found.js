const { createHash } = require('node:crypto');
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { default: runFile } = require('jest-circus/runner');
const { createEmptyTestResult } = require('@jest/test-result');

// Stryker runs all test files for each mutant, and knows only the names of the tests that can find it. Its jest-runner
// refuses a test runner whose path does not contain `jest-circus`.

/** The runs of a mutant, by jest's configuration, in which a test has found it. */
const found = new WeakSet();

/** Runs a test file like jest-circus, unless the mutant is found already or no test of the file can find it. */
module.exports = async function runUntilFound(globalConfig, config, environment, runtime, testPath, ...rest) {
  const { testNamePattern } = globalConfig;
  const names = join(config.rootDir, `tests-${createHash('sha256').update(testPath).digest('hex')}.json`);
  if (found.has(globalConfig) || (testNamePattern && !matches(testNamePattern, names)))
    return withoutRun(testPath, 'pending');
  try {
    const result = await runFile(globalConfig, config, environment, runtime, testPath, ...rest);
    // The first run has no mutant and runs all tests.
    if (!testNamePattern && !existsSync(names))
      writeFileSync(names, JSON.stringify(result.testResults.map(({ fullName }) => fullName)));
    if (result.numFailingTests > 0) found.add(globalConfig);
    return result;
  } catch (error) {
    if (!testNamePattern) throw error;
    // Stryker does not count a mutant with which a file cannot even be loaded.
    found.add(globalConfig);
    return withoutRun(testPath, 'failed');
  }
};

function withoutRun(testFilePath, status) {
  const test = { status, fullName: 'not run', title: 'not run', ancestorTitles: [], failureMessages: [] };
  // jest takes a file without tests for a mistake.
  return { ...createEmptyTestResult(), testFilePath, testResults: [test] };
}

function matches(testNamePattern, names) {
  const pattern = new RegExp(testNamePattern, 'i');
  return !existsSync(names) || JSON.parse(readFileSync(names, 'utf8')).some((name) => pattern.test(name));
}
