import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { within } from '../lib/time/within';

/** The promise's outcome, or a DatabaseFailure when the database keeps it waiting for longer. */
export function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return within(promise, milliseconds, () => new DatabaseFailure('command', 'DEADLINE'));
}
