import { DatabaseFailure } from './DatabaseFailure';

/** Reads a whole number of a query's answer. Throws a DatabaseFailure if the answer has none, as one of another row. */
export function wholeNumber(query: string, value: unknown): number {
  const read = value === null || value === undefined ? Number.NaN : Number(value);
  if (!Number.isSafeInteger(read)) throw new DatabaseFailure(query, 'UNKNOWN_ANSWER');
  return read;
}
