import type { Knex } from 'knex';
import { DAY_SECONDS, FIRST_MILLISECONDS } from '../../time/time';
import { ALWAYS, type Comparison, type SqlCondition, type TimeColumn } from '../columns';

/** Compares a column as it is with the text as it is. */
export const asText = (right = '?', left = '??'): Comparison => ({
  left,
  right,
  bind: (text) => text,
  isText: true,
});

/** Compares the text that the database itself writes for the values of a column. */
export const asWritten = (left: string): Comparison => ({ ...asText('?', left), keySql: left });

/** Compares a column of numbers with a text that writes one, however many zeros end its fraction. */
export const asNumber = (right = '?', left = '??'): Comparison => ({
  left,
  right,
  bind: (text) => (/^[+-]?\d+(?:\.\d+)?$/.test(text) ? text : undefined),
});

const SIGNED_LIMIT = 2n ** 63n;

/** Compares a column of whole numbers of at most 64 bits. A `limit` of 2^64 is for columns that may have no sign. */
export const asInteger = (right = '?', limit = SIGNED_LIMIT): Comparison => ({
  left: '??',
  right,
  bind: (text) => bindInteger(text, limit),
});

/** The whole number that a text writes, if it has at most 64 bits and is below the limit. */
export function bindInteger(text: string, limit = SIGNED_LIMIT): Knex.RawBinding | undefined {
  if (!/^-?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  if (value >= limit || value < -SIGNED_LIMIT) return undefined;
  const number = Number(value);
  // knex's types know no bigint; the drivers do.
  return Number.isSafeInteger(number) ? number : (value as unknown as number);
}

/** Seconds since 1970 as `2026-06-12 00:00:00`, in UTC or, for a zoned column, a day earlier: before any zone's time. */
export function dateText({ zoned }: Pick<TimeColumn, 'zoned'>, seconds: number): string {
  const time = new Date((seconds - (zoned ? DAY_SECONDS : 0)) * 1000);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** The condition that a column of dates or times, written as text with the day first, meets at `seconds` and later. */
export function sinceText({ name, form }: TimeColumn, seconds: number): SqlCondition {
  // Without a declared form the texts may be numbers too, which sort elsewhere.
  if (form !== 'date' && form !== 'datetime') return ALWAYS;
  return { sql: '?? >= ?', bindings: [name, dateText({ zoned: true }, seconds).slice(0, 10)] };
}

/** The condition that a column of unix times, in seconds or milliseconds, meets at `seconds` and later. */
export function sinceUnix({ name, form }: TimeColumn, seconds: number, right = '?'): SqlCondition {
  if (seconds <= 0) return ALWAYS;
  if (form === 'unix') return { sql: `?? >= ${right}`, bindings: [name, seconds] };
  if (form === 'unix-ms') return { sql: `?? >= ${right}`, bindings: [name, seconds * 1000] };
  // Seconds or milliseconds: readTime distinguishes them by the same limit.
  return {
    sql: `((?? >= ${right} AND ?? < ${FIRST_MILLISECONDS}) OR ?? >= ${right})`,
    bindings: [name, seconds, name, name, Math.max(seconds * 1000, FIRST_MILLISECONDS)],
  };
}
