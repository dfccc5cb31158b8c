import { type Clock, realClock } from '../async/Clock';
import { DatabaseFailure } from './DatabaseFailure';

/** The longest pause between two attempts, in milliseconds. The first is at most a sixteenth of it. */
const MOST_PAUSE_MS = 64;

/**
 * Repeats the task while it fails with a conflict with another transaction, until `end` (by the clock), and
 * rejects as the last run did. The pauses are random, so that two colliding tasks do not collide again. A task that
 * fails must have changed nothing. It receives the conflict of its last run.
 */
export async function retryConflicts<T>(
  isConflict: (failure: DatabaseFailure) => boolean,
  end: number,
  task: (conflict?: DatabaseFailure) => Promise<T>,
  clock: Clock = realClock,
): Promise<T> {
  let conflict: DatabaseFailure | undefined;
  for (let most = MOST_PAUSE_MS / 16; ; most = Math.min(2 * most, MOST_PAUSE_MS)) {
    try {
      return await task(conflict);
    } catch (error) {
      const pauseMs = clock.random() * most;
      // A timer may be late by a millisecond or two, and a failure after the end counts as a COMMIT without an answer.
      const isLate = clock.now() + pauseMs + 2 >= end;
      if (isLate || !(error instanceof DatabaseFailure) || !isConflict(error)) throw error;
      conflict = error;
      await clock.pause(pauseMs);
    }
  }
}
