import type { Knex } from 'knex';
import type { TimeForm } from '../time/time';
import type { TimeFormat } from '../time/timeFormat';

/** A column of the panel's, as the live database reports it. */
export interface Column {
  readonly name: string;
  /** The database's own name of the type, in lower case: `bigint`, `timestamp with time zone`. */
  readonly type: string;
  /** The collation of a text column, if it takes different texts for equal. */
  readonly collation?: string;
  /** Whether the database sorts texts of this collation, without an index, otherwise than it compares them. */
  readonly isSortedApart?: true;
  /** How many bytes a text has at most, if the driver reports it. */
  readonly mostBytes?: number;
  /** How many digits a decimal has after the point, if the driver reports it. */
  readonly decimals?: number;
  /** The column of a table from which a query selects this one, as PostgreSQL identifies it. */
  readonly origin?: { readonly table: number; readonly position: number };
}

/** A column of times, with their form and zone as the panel declares them. */
export interface TimeColumn extends Column {
  readonly form?: TimeForm | TimeFormat | undefined;
  /** Whether its times are those of another zone than UTC. */
  readonly zoned: boolean;
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
  // In SQLite knex creates decimals as `float`, and they do have one there.
  return type === 'double';
}

/** Whether the database takes texts of the column for equal that differ in their case alone. */
export function ignoresCase({ type, collation = '' }: Column): boolean {
  return collation.endsWith('_ci') || type === 'citext';
}

/** Whether the column holds dates or times by its type. */
export function isTimeColumn({ type }: Column): boolean {
  return /^(?:date|timestamp)/.test(type);
}

/** How the values of a column are compared with a text from outside. @internal */
export interface Comparison {
  /** SQL of the column, with one `??` for its name. */
  readonly left: string;
  /** SQL of the value, with one `?` for it. */
  readonly right: string;
  /** The value to bind; undefined if no value of the column can be equal to the text. */
  bind(text: string): Knex.RawBinding | undefined;
  /** Further values that read as the text, in a database whose columns hold values of any type. */
  also?(text: string): readonly Knex.RawBinding[];
  /** Whether the column is compared by its text, in which `1` and `1.0` differ. */
  readonly isText?: true;
  /** SQL that selects the column as a key if `selectSql` does not: a cursor holds the value that is compared. */
  readonly keySql?: string;
  /** The SQL of both for an exact comparison, if the column's collation takes different values for equal. */
  readonly exactly?: { readonly left: string; readonly right: string };
}

/**
 * How the times of a column are compared with one of them, as text. Rows are sorted by the plain column.
 * @internal
 */
export interface TimeComparison extends Comparison {
  /** If `left` is not the plain column: a value that the plain column does not exceed at or before this time. */
  bound?(value: Knex.RawBinding): SqlCondition;
}

/** A condition with its bindings. @internal */
export interface SqlCondition {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/** The condition that every row meets. @internal */
export const ALWAYS: SqlCondition = { sql: '1 = 1', bindings: [] };

/** The condition that no row meets. @internal */
export const NEVER: SqlCondition = { sql: '1 = 0', bindings: [] };

/** @internal */
export function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? NEVER : joined(conditions, ' OR ');
}

/** @internal */
export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? ALWAYS : joined(conditions, ' AND ');
}

function joined(conditions: readonly SqlCondition[], by: string): SqlCondition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(by)})`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

/** The values of a range; null for no bound. */
export interface Bounds<T = number | bigint> {
  readonly from: T | null;
  readonly to: T | null;
}

/** The bounds for numbers that are stored with few digits, or are cut off or rounded to a whole number when read. */
export function widened({ from, to }: Bounds, unit = 1): Bounds<number> {
  const slack = (bound: number) => unit + Math.abs(bound) * FLOAT_ERROR;
  const [least, most] = [Number(from), Number(to)];
  return { from: from === null ? null : least - slack(least), to: to === null ? null : most + slack(most) };
}

// MariaDB writes six digits of a FLOAT.
const FLOAT_ERROR = 1e-5;

/** The condition that a column is like a text, in any letter case. */
export const LIKE = "LOWER(??) LIKE LOWER(?) ESCAPE '!'";

/** The condition that a column contains a text, in any letter case. @internal */
export function contains(knex: Knex, column: string, text: string): Knex.Raw {
  return knex.raw(LIKE, [column, `%${literal(text)}%`]);
}

/** A text for LIKE that matches only itself. */
export function literal(text: string): string {
  return text.replace(/[!%_]/g, '!$&');
}
