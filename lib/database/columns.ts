import type { Knex } from 'knex';
import { DAY_SECONDS, FIRST_MILLISECONDS } from '../time/time';

/** A column of the panel's, as it stands in the live database. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type, in lower case: `bigint`, `timestamp with time zone`. */
  readonly type: string;
  /** The collation of a text column that takes texts for one which differ. */
  readonly collation?: string;
  /** How many bytes a text has at most, if the driver tells. */
  readonly mostBytes?: number;
  /** How many digits a decimal has behind the point, if the driver tells. */
  readonly decimals?: number;
  /** The column of a table that a column of a query comes from, as PostgreSQL identifies it. */
  readonly origin?: { readonly table: number; readonly position: number };
}

export function isIntegerColumn({ type }: Column): boolean {
  return /^(?:(?:tiny|small|medium|big)?int(?:eger|\d)?\b|(?:small|big)?serial)(?!.*\[\])/.test(type);
}

/** Whether the column holds numbers or booleans by its type. */
export function isNumberColumn(column: Column): boolean {
  return isIntegerColumn(column) || /^(?:decimal|numeric|bool|bit$)/.test(column.type);
}

/** Whether the column holds bytes that are no text. One without a type may hold anything. */
export function isBinaryColumn({ type }: Column): boolean {
  return /binary|blob|bytea/.test(type);
}

/** Whether a value of the column may have more bytes than that. A column without a type may hold anything. */
export function mayExceed({ type, mostBytes = Infinity }: Column, bytes: number): boolean {
  return mostBytes > bytes && /^$|text|char|json|xml|blob|bytea|clob|\[\]$/.test(type);
}

/** Whether the column holds floating-point numbers, which have no text of their own. */
export function isFloatColumn({ type }: Column): boolean {
  // SQLite's `float` is what knex makes of decimals, which do have one there.
  return type === 'double';
}

/** Whether the database takes texts of the column for one which differ in their case alone. */
export function ignoresCase({ type, collation = '' }: Column): boolean {
  return collation.endsWith('_ci') || type === 'citext';
}

/** Whether the column holds dates or times by its type. */
export function isTimeColumn({ type }: Column): boolean {
  return /^(?:date|timestamp)/.test(type);
}

/** How the values of a column are compared with a text from outside. */
export interface Comparison {
  /** SQL of the column, which stands in it once as `??`. */
  readonly left: string;
  /** SQL of the value, which stands in it once as `?`. */
  readonly right: string;
  /** The value to bind; undefined if no value of the column can be equal to the text. */
  bind(text: string): Knex.RawBinding | undefined;
  /** Further values that read as the text, in a database whose columns hold values of any type. */
  also?(text: string): readonly Knex.RawBinding[];
  /** Whether the column is compared by its text, in which `1` and `1.0` differ. */
  readonly isText?: true;
  /** SQL of the column as a key is read, if that is not what is selected: a cursor holds what is compared. */
  readonly keySql?: string;
  /** The SQL of both where the column's collation takes values for one that differ. */
  readonly exactly?: { readonly left: string; readonly right: string };
}

/** A condition with its bindings. */
export interface SqlCondition {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** A column of times, and what the panel says of them. */
export interface TimeColumn extends Column {
  readonly form?: 'unix' | 'unix-ms' | 'date' | 'datetime' | undefined;
  /** Whether its times are those of another zone than UTC. */
  readonly zoned: boolean;
}

/** What always holds. */
export const ALWAYS: SqlCondition = { sql: '1 = 1', bindings: [] };

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

/** Compares a column of whole numbers of at most 64 bits, which may be without a sign where `limit` is 2^64. */
export const asInteger = (right = '?', limit = 2n ** 63n): Comparison => ({
  left: '??',
  right,
  bind: (text) => bindInteger(text, limit),
});

const LEAST = -(2n ** 63n);

/** The whole number that a text writes, if it has at most 64 bits and is below the limit. */
export function bindInteger(text: string, limit = 2n ** 63n): Knex.RawBinding | undefined {
  if (!/^-?\d{1,20}$/.test(text)) return undefined;
  const value = BigInt(text);
  if (value >= limit || value < LEAST) return undefined;
  const number = Number(value);
  // knex's types know no bigint; the drivers do.
  return Number.isSafeInteger(number) ? number : (value as unknown as number);
}

/** Seconds since 1970 as `2026-06-12 00:00:00`, in UTC or, a day earlier, before it is that late anywhere. */
export function dateText({ zoned }: Pick<TimeColumn, 'zoned'>, seconds: number): string {
  const time = new Date((seconds - (zoned ? DAY_SECONDS : 0)) * 1000);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** What holds for a column of dates or times written as text, day first, at `seconds` and later. */
export function sinceText({ name, form }: TimeColumn, seconds: number): SqlCondition {
  // What is told by its looks alone may be a number too, which sorts elsewhere.
  if (form !== 'date' && form !== 'datetime') return ALWAYS;
  return { sql: '?? >= ?', bindings: [name, dateText({ zoned: true }, seconds).slice(0, 10)] };
}

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
