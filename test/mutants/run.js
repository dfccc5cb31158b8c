const { spawnSync } = require('node:child_process');
const { existsSync, readFileSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { locate } = require('./anchors');
const { copyTree, plant } = require('./copyTree');
const { mutants } = require('./mutants');

// Plants each mutant of mutants.js, or those named on the command line, in a copy of the tree, and runs its test: it
// must fail with the mutant and pass without.

const jest = require.resolve('jest/bin/jest');
/** A test that hangs fails before that, by the time limit of `test/jest.config.js` or its own. */
const PATIENCE_MS = 300_000;
const NOTHING_RUN = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };

function main(words) {
  const chosen = mutants.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const copy = copyTree();
  const caught = chosen.filter((mutant) => {
    const verdict = judge(copy, mutant);
    console.log(`${verdict === 'caught' ? 'ok    ' : 'FAILED'} ${mutant.name}: ${verdict}`);
    if (verdict !== 'caught') console.log(`       ${mutant.breaks}\n       Test: ${mutant.test}`);
    return verdict === 'caught';
  });
  console.log(`${caught.length} of ${chosen.length} mutants are caught`);
  process.exitCode = chosen.length > 0 && caught.length === chosen.length ? 0 : 1;
}

/** Plants the mutant, removes it, and returns `caught` or what is wrong. */
function judge(copy, mutant) {
  try {
    const { testFile } = locate(mutant);
    const before = runTest(copy, testFile, mutant);
    const remove = plant(copy, mutant);
    try {
      return verdictOf(before, runTest(copy, testFile, mutant));
    } finally {
      // Otherwise a run that throws would leave the fault to the next mutants.
      remove();
    }
  } catch (error) {
    return error.message;
  }
}

function verdictOf(before, after) {
  if (before.ended) return `the tests' process ended without a report, before the mutant\n${before.output}`;
  if (before.failed > 0) return `the test fails without the mutant\n${before.output}`;
  if (before.passed === 0) return `no such test was run\n${before.output}`;
  if (after.crashed) return `the mutant is no source that runs\n${after.output}`;
  if (after.hangs) return `the test does not end within ${PATIENCE_MS / 1000} s\n${after.output}`;
  if (after.ended) return `the tests' process ended without a report\n${after.output}`;
  return after.failed > 0 ? 'caught' : 'survives';
}

/** Runs the tests whose full names contain the mutant's, in the copy. */
function runTest(copy, testFile, { test, on: engine }) {
  const report = join(copy, 'report.json');
  // The tests of npm test do not include every proof.
  const config = testFile.startsWith('test/prove/') ? 'test/prove/jest.config.js' : 'test/jest.config.js';
  const args = ['--config', config, '--json', `--outputFile=${report}`, '-t', escaped(test)];
  rmSync(report, { force: true });
  const env = { ...process.env, PROVE_PLANTED: 'yes', ...(engine && { TEST_ENGINES: engine }) };
  const options = { cwd: copy, encoding: 'utf8', env, timeout: PATIENCE_MS, maxBuffer: Infinity };
  // A test that a fault interrupts may leave something open.
  const { stderr, error } = spawnSync(process.execPath, [jest, '--forceExit', ...args, testFile], options);
  const ended = !existsSync(report);
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = ended
    ? NOTHING_RUN
    : JSON.parse(readFileSync(report, 'utf8'));
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    crashed: numRuntimeErrorTestSuites > 0,
    hangs: error?.code === 'ETIMEDOUT',
    ended,
    output: stderr,
  };
}

function escaped(text) {
  return text.split('%')[0].replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

main(process.argv.slice(2));
