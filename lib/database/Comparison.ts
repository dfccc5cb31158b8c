import type { Knex } from 'knex';
import type { Column } from './Column';

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
