import { readTime, readUsual } from '../fields/times';
import { rfc3339 } from '../time/time';

const SECONDS = /^-?\d+(?:\.\d+)?$/;

/** Reads what a column of times gives: a number in text is PostgreSQL's, and always one of seconds. */
export function readColumnTime(raw: unknown): string | null {
  if (typeof raw !== 'string') return readTime(raw);
  const usual = readUsual(raw);
  if (usual !== null) return usual;
  if (!SECONDS.test(raw)) return readTime(raw);
  return rfc3339(new Date(Math.floor(Number(raw)) * 1000));
}
