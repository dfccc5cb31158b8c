/** Something that a test needs and this machine lacks. The message says what, as a reason to leave the test out. */
export class Missing extends Error {}

interface FailedTest {
  errors: readonly unknown[];
  status: string;
}

/**
 * Skips a test of Jest that has failed because something is missing, if the run may leave it out, and writes why to the
 * file that the run reads at its end. Returns whether it did.
 */
export function leaveOut(test: FailedTest): boolean;
/** The reasons in such a file, one of each test that was left out. */
export function reasonsIn(file: string): readonly string[];
/** One line per reason, with the number of its tests. */
export function countedReasons(reasons: readonly string[]): readonly string[];
