const { default: runFile } = require('jest-circus/runner');
const { createEmptyTestResult } = require('@jest/test-result');
const { record, recordOf } = require('./records');

// Stryker runs all test files for each mutant, and knows only the names of the tests that can find it. Its jest-runner
// refuses a test runner whose path does not contain `jest-circus`.

/** The runs of a mutant, by jest's configuration, in which a test has found it. */
const found = new WeakSet();

/** Runs a test file like jest-circus, unless the mutant is found already or no test of the file can find it. */
module.exports = async function runUntilFound(globalConfig, config, environment, runtime, testPath, ...rest) {
  const { testNamePattern } = globalConfig;
  const names = recordOf(config.rootDir, testPath)?.names;
  if (found.has(globalConfig) || (testNamePattern && names && !matches(testNamePattern, names)))
    return withoutRun(testPath, 'pending');
  const started = Date.now();
  try {
    const result = await runFile(globalConfig, config, environment, runtime, testPath, ...rest);
    if (!testNamePattern)
      record(config.rootDir, testPath, {
        names: result.testResults.map(({ fullName }) => fullName),
        milliseconds: Date.now() - started,
      });
    if (!testNamePattern) return result;
    if (result.numFailingTests > 0) {
      found.add(globalConfig);
      // Stryker would not count a mutant with which a hook fails after a test.
      return { ...result, testExecError: undefined };
    }
    if (!result.testExecError) return result;
  } catch (error) {
    if (!testNamePattern) throw error;
  }
  // Nor one with which a file cannot be loaded or closed.
  found.add(globalConfig);
  return withoutRun(testPath, 'failed');
};

/** Why a mutant is killed although no test failed. */
const NO_END = 'The test file could not be run to its end.';

function withoutRun(testFilePath, status) {
  const failureMessages = status === 'failed' ? [NO_END] : [];
  const test = { status, fullName: 'not run', title: 'not run', ancestorTitles: [], failureMessages };
  // jest takes a file without tests for a mistake.
  return { ...createEmptyTestResult(), testFilePath, testResults: [test] };
}

module.exports.NO_END = NO_END;

function matches(testNamePattern, names) {
  const pattern = new RegExp(testNamePattern, 'i');
  return names.some((name) => pattern.test(name));
}
