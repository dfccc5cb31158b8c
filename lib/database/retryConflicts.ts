import { DatabaseFailure } from './DatabaseFailure';

const ATTEMPTS = 3;

// What a database asks to be tried again: deadlocks, and PostgreSQL's conflicts under repeatable read.
const CONFLICTS = new Set(['ER_LOCK_DEADLOCK', '40P01', '40001']);

/** Runs the task again, a few times at most, where the database took it back in favour of another. */
export async function retryConflicts<T>(task: () => Promise<T>, attempts = ATTEMPTS): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const again = attempts > 1 && error instanceof DatabaseFailure && CONFLICTS.has(error.code);
    if (again) return retryConflicts(task, attempts - 1);
    throw error;
  }
}
