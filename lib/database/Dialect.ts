import type { Knex } from 'knex';
import type { Bounds, Column, Comparison, SqlCondition, TimeColumn, TimeComparison } from './columns';
import type { DatabaseFailure } from './DatabaseFailure';
import type { Rows, Run, Statement } from './Statement';

/** How long a process waits for a lock of another, in milliseconds. */
export const LOCK_PATIENCE_MS = 60_000;

/** How to see on one node of a cluster what was committed on another, when the commit does not wait for all nodes. */
export interface CausalReads {
  /** SQL that is 1 if the server is a node of a cluster. */
  readonly isNodeSql: string;
  /** Returns a statement that waits until the node has what was committed before on any node. */
  wait(sql: string): string;
  /** Whether a statement failed because the server knows neither `isNodeSql` nor `wait`: it can be no node. */
  isUnknown(failure: DatabaseFailure): boolean;
}

/** What differs between databases. An optional member is absent if nothing needs to be done. */
export interface Dialect {
  readonly name: 'mysql' | 'postgresql' | 'sqlite';
  /** SQL for the database's clock, in whole seconds since 1970 whatever the session's time zone. */
  readonly now: string;
  /**
   * Options for a statement on this connection, so that it returns rows as objects, keeps all digits of numbers and
   * does not convert dates to local ones, whatever the panel's settings.
   */
  exactValues(connection: unknown): Readonly<Record<string, unknown>>;
  /** A value in the form to bind, so that the server reads a text unchanged in every mode. */
  readonly bind?: (value: unknown) => unknown;
  /** SQL that selects a column (`??`) independently of the session's settings. */
  selectSql(column: Column): string;
  /** SQL that selects a column for GROUP BY, so that values that are read differently are in different groups. */
  groupSql(column: Column): string;
  /** Whether every value in a column of whole numbers is one, so that SQL can add them up. */
  readonly sumsIntegers: boolean;
  /** SQL for the approximate length in bytes of a column's (`??`) text. */
  readonly lengthSql: string;
  /** Sends a query and returns the columns of its result, as far as the driver reports their types. */
  describe(query: Knex.QueryBuilder): Statement<readonly Column[]>;
  /** Whether `*` omits columns that a statement can name. */
  readonly hidesColumns?: true;
  /**
   * Adds facts to the columns that the driver does not report. `query` belongs to `knex` and selects no columns yet.
   */
  readonly complete?: (
    columns: readonly Column[],
    from: { readonly run: Run; readonly knex: Knex; readonly query: () => Knex.QueryBuilder },
  ) => Promise<readonly Column[]>;
  /** SQL for the name of each column of a table (`?`). No rows if the table does not exist. */
  readonly columnsSql: string;
  /** Absent if what is committed is visible at once wherever the module reads it. */
  readonly causalReads?: CausalReads;
  /** The rows of a raw query's result. */
  rows(result: unknown): Rows;
  /** How the limiter counts requests of tokens. */
  readonly countHits: CountHits;
  /** The end of an INSERT that adds to the count of an existing row with the same key, and sets its `latest` columns. */
  onConflictAdd(table: string, key: readonly string[], count: string, latest?: readonly string[]): string;
  /** Deletes at most `most` rows whose column is below a bound, and returns their number. */
  deleteBelow(
    knex: Knex,
    table: string,
    rows: { readonly column: string; readonly bound: number; readonly most: number },
  ): Statement<number>;
  /**
   * The statements that begin a transaction with writes, at READ COMMITTED whatever the handle's level, so that few
   * conflict. It sees what was committed before on any node of a cluster. `conflict` is the failure of the last attempt.
   */
  begin(conflict?: DatabaseFailure): readonly string[];
  /** The statements that begin a read-only transaction over one snapshot of the database. */
  readonly beginSnapshot: readonly string[];
  /** SQL that returns a row if such a transaction blocks no writer. Absent if it never blocks one. */
  readonly snapshotBlocksNone?: string;
  /** How a column's values are compared with text from clients; null if SQL cannot compare them as they are read. */
  compare(column: Column): Comparison | null;
  /** The same for a key column, by which rows are also sorted. */
  compareKey(column: Column): Comparison;
  /** The same for a column of times; null if the plain column does not sort by time. */
  compareTime(column: Column): TimeComparison | null;
  /**
   * The condition for times from `from` to before `to`, in seconds since 1970: `from` above 0, `to` not below 0, both
   * below the year 9999. It may include other times nearby.
   */
  during(column: TimeColumn, times: Bounds<number>): SqlCondition;
  /**
   * The condition for texts that begin with this one, whatever the case of the letters A to Z. It may include others,
   * and holds if the column has no texts.
   */
  beginsWith(column: Column, text: string): SqlCondition;
  /** The condition for numbers within both bounds. It may include others nearby, and holds if SQL cannot compare them. */
  within(column: Column, numbers: Bounds): SqlCondition;
  /** Whether a failure means that the statement does not fit the existing tables and columns. */
  isStatementFailure(failure: DatabaseFailure): boolean;
  /** Whether a statement failed because the database user may not read a table or a column. */
  isAccessFailure(failure: DatabaseFailure): boolean;
  /** Whether a statement failed because a table or column does not exist, as far as the failure says. */
  isAbsence(failure: DatabaseFailure): boolean;
  /**
   * SQL that returns a row if the table (`?`) exists although a statement has failed as if it did not: a view of what does
   * not exist, or a table in a schema that the user may not use. Absent if the code alone says so.
   */
  readonly existsSql?: string;
  /** Whether a table that the user may not read fails in the same way if it does not exist. */
  readonly hidesTables?: true;
  /** Whether a COMMIT that failed so may have been carried out nevertheless. Default: never. */
  isCommitUnknown?(failure: DatabaseFailure): boolean;
  /** Whether ROLLBACK failed so because the database had rolled the transaction back by itself. Default: never. */
  isRolledBack?(failure: DatabaseFailure): boolean;

  /** Whether a statement or transaction failed because of another transaction, without changing anything. */
  isConflict(failure: DatabaseFailure): boolean;
  /** Whether a statement failed because a unique column already contains the value. */
  isDuplicate(failure: DatabaseFailure): boolean;
  /**
   * Whether a statement failed because another transaction locked a row for longer than the limit of `boundLockWait`.
   */
  isRowLocked(failure: DatabaseFailure): boolean;
  /** Returns the SQL of a statement without bindings that waits for a locked row for at most `seconds`. */
  boundLockWait(sql: string, seconds: 0 | 1): string;
  /**
   * Returns the SQL of a statement over this connection that the server itself ends at its limit, whatever it does or
   * waits for. Absent if a statement cannot carry such a limit.
   */
  readonly limit?: (sql: string, limitMs: number, connection: unknown) => string;
  /**
   * Makes the server end the statement with this SQL over this connection, which has exceeded its limit, if the server
   * does not end it by itself. Returns false if the server may run it on. Never rejects.
   */
  end(connection: object, sql: string): Promise<boolean>;
  /** Closes a connection at once, whatever runs over it. */
  readonly close?: (connection: object) => void;
  /**
   * Makes a driver that waits for locks in the event loop fail with a conflict at once instead. Returns the function
   * that restores the connection.
   */
  readonly refuseWaits?: (connection: object) => () => void;
  /** Runs the task while no other process runs one under the same lock. The lock is released if its process dies. */
  withLock<T>(session: LockSession, lock: string, task: () => Promise<T>): Promise<T>;
  /**
   * Whether a statement failed because the table, column or index that it adds exists already. Absent if a transaction
   * contains such statements, so that none is left half-done.
   */
  readonly isDuplicateObject?: (failure: DatabaseFailure) => boolean;
  /** Sets the options of one of the module's own tables. */
  readonly tableOptions?: (table: Knex.CreateTableBuilder) => void;
  /** SQL for a column's (`??`) bytes in hexadecimal, which every driver returns as text. */
  readonly hexSql: string;
  /** The type of the column that keeps the 32 bytes of a token's hash. */
  readonly hashType: string;
  /**
   * SQL that lets the ids of a table (`?`, twice) go on beyond a number (`?`). Absent if a row with an id does that by itself.
   */
  readonly skipIdsSql?: string;
  /** The version of the database server. */
  readonly versionSql: string;
  /** Selects the `name` of the schema in which tables without a schema are found. */
  readonly schemaSql: string;
}

/** The part of a session that a dialect needs to hold a lock. */
interface LockSession {
  rows(sql: string, bindings?: readonly Knex.RawBinding[], limitMs?: number): Promise<Rows>;
  transaction<T>(task: () => Promise<T>): Promise<T>;
}

/** The requests counted in a token's window, and when it ends. */
export interface CountedHits {
  /** The token's id. */
  readonly token: number;
  readonly hits: number;
  readonly secondsLeft: number;
  /** When the window began, by a dialect that uses `atLeast`. */
  readonly start?: number;
}

/** Requests of one token to add, and its last use. */
export interface AddedUse {
  readonly hits: number;
  /** In seconds since 1970. A later time that is stored stays, unless it is so late that a wrong clock stored it. */
  readonly usedAt: number;
  /** The client's address; null stores none, and deletes that of the use before. */
  readonly address: string | null;
}

/** What to add, by token id, in the order of the ids. */
export type AddedUses = ReadonlyMap<number, AddedUse>;

/**
 * SQL that adds requests to the windows of tokens, by the database's clock, stores their last uses, and returns the sums.
 * A window that does not begin at a multiple of its length was begun with another length: its count continues in the new
 * window around it.
 * All numbers must be safe integers: they are written into the SQL, because bindings take knex and the drivers several
 * times as long.
 */
export interface CountHits {
  /**
   * A short statement that adds requests of one token to its window, if that began at `start` and goes on, and returns
   * the sum; nothing otherwise.
   */
  usualSql(table: string, token: number, use: AddedUse, start: number): string;
  /** The sum in its result; null if it added nothing. */
  readUsual(result: unknown): number | null;
  /**
   * The statement that adds requests. Only a dialect whose clock may be behind uses `atLeast`, in seconds since 1970:
   * it is at least that late.
   */
  addSql(table: string, added: AddedUses, windowSeconds: number, atLeast: number): string;
  /** The statement that reads the sums in the same transaction, if the first did not return them; null if it always does. */
  readSql(table: string, added: AddedUses, windowSeconds: number): string | null;
  /** The sums in the result of either statement. Fewer than the tokens if not all are returned. */
  read(result: unknown): readonly CountedHits[];
}
