import { DatabaseFailure } from './DatabaseFailure';

/** Returns a value of a query's answer as a whole number. Throws DatabaseFailure if it is none. */
export function wholeNumber(query: string, value: unknown): number {
  const read = value === null || value === undefined ? Number.NaN : Number(value);
  if (!Number.isSafeInteger(read)) throw new DatabaseFailure(query, 'UNKNOWN_ANSWER');
  return read;
}
