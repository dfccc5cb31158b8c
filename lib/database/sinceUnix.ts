import { FIRST_MILLISECONDS } from '../time/firstMilliseconds';
import { ALWAYS, type SqlCondition, type TimeColumn } from './Comparison';

/** What holds for a column of unix times, in seconds or milliseconds, at `seconds` and later. */
export function sinceUnix({ name, form }: TimeColumn, seconds: number, right = '?'): SqlCondition {
  if (seconds <= 0) return ALWAYS;
  if (form === 'unix') return { sql: `?? >= ${right}`, bindings: [name, seconds] };
  if (form === 'unix-ms') return { sql: `?? >= ${right}`, bindings: [name, seconds * 1000] };
  // Either, as readTime tells them apart.
  return {
    sql: `((?? >= ${right} AND ?? < ${FIRST_MILLISECONDS}) OR ?? >= ${right})`,
    bindings: [name, seconds, name, name, Math.max(seconds * 1000, FIRST_MILLISECONDS)],
  };
}
