const { spawnSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { basename, join } = require('node:path');
const { locate } = require('./anchors');
const { mutants } = require('./mutants');

// Plants each mutant of mutants.js, or those named on the command line, in a copy of the tree, and runs its test: it
// must fail with the mutant and pass without.

const root = join(__dirname, '..', '..');
const jest = require.resolve('jest/bin/jest');
const leftOut = new Set(['.git', 'dist', 'node_modules']);
const PATIENCE_MS = 180_000;

function main(words) {
  const chosen = mutants.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
  const copy = mkdtempSync(join(tmpdir(), 'panel-api-mutants-'));
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  cpSync(root, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
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
    const { source, testFile } = locate(mutant);
    const path = join(copy, source);
    const sound = readFileSync(path, 'utf8');
    const before = runTest(copy, testFile, mutant);
    writeFileSync(
      path,
      sound.replace(mutant.text, () => mutant.replacement),
    );
    const after = runTest(copy, testFile, mutant);
    writeFileSync(path, sound);
    return verdictOf(before, after);
  } catch (error) {
    return error.message;
  }
}

function verdictOf(before, after) {
  if (before.failed > 0) return `the test fails without the mutant\n${before.output}`;
  if (before.passed === 0) return 'no such test was run';
  if (after.crashed) return `the mutant is no source that runs\n${after.output}`;
  return after.failed > 0 ? 'caught' : 'survives';
}

/** Runs the tests whose full names contain the mutant's, in the copy. */
function runTest(copy, testFile, { test, on }) {
  const report = join(copy, 'report.json');
  const title = on ? `${on}.*${escaped(test)}` : escaped(test);
  const args = ['--config', 'test/jest.config.js', '--json', `--outputFile=${report}`, '-t', title];
  rmSync(report, { force: true });
  const options = { cwd: copy, encoding: 'utf8', timeout: PATIENCE_MS };
  // A test that a fault interrupts may leave something open.
  const { stderr } = spawnSync(process.execPath, [jest, '--forceExit', ...args, testFile], options);
  // A fault may end the tests' process, as it would end a panel's.
  if (!existsSync(report)) return { passed: 0, failed: 1, crashed: false, output: stderr };
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    crashed: numRuntimeErrorTestSuites > 0,
    output: stderr,
  };
}

function escaped(text) {
  return text.split('%')[0].replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

main(process.argv.slice(2));
