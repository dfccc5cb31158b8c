const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const { findProgram } = require('./servers/findProgram');

/** Something that a test needs and this machine lacks. The message says what, as a reason to leave the test out. */
class Missing extends Error {
  name = 'Missing';
}

/** Whether this process can install the programs that are missing. */
function canInstall() {
  return process.getuid() === 0 && findProgram('apt-get') !== undefined;
}

/** Whether a run may leave out what this machine cannot do. Elsewhere, something that is missing fails it. */
function mayLeaveOut() {
  return !process.env.CI && !canInstall();
}

/** The error that says that something is missing, if it is among these, which may be of another realm. */
function missingAmong(errors) {
  return errors.find((error) => error?.name === 'Missing');
}

/**
 * Skips a test of Jest that has failed because something is missing, if the run may leave it out, and writes why to the
 * file that the run reads at its end. Returns whether it did.
 */
function leaveOut(test) {
  const missing = missingAmong(test.errors.flat());
  if (missing === undefined || !mayLeaveOut()) return false;
  // What else failed, such as the end of what was never begun, is a consequence.
  test.errors = [];
  test.status = 'skip';
  const { TEST_LEFT_OUT: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(missing.message)}\n`);
  return true;
}

/** The reasons in such a file, one of each test that was left out. */
function reasonsIn(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** One line per reason, with the number of its tests. */
function countedReasons(reasons) {
  return [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return `${count} left out: ${reason}`;
  });
}

module.exports = { Missing, canInstall, mayLeaveOut, missingAmong, leaveOut, reasonsIn, countedReasons };
