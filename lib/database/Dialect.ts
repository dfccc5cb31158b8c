import type { Knex } from 'knex';
import type { Column, Comparison, SqlCondition, TimeColumn } from './columns';
import type { DatabaseFailure } from './DatabaseFailure';
import type { Run, Statement } from './Statement';

/** How long a process waits for another that holds a lock, in milliseconds. */
export const LOCK_PATIENCE_MS = 60_000;

/** The differences between the kinds of databases. An optional member is absent if there is nothing to do. */
export interface Dialect {
  readonly name: 'mysql' | 'postgresql' | 'sqlite';
  /** SQL for the database's clock, in whole seconds since 1970 whatever the session's time zone. */
  readonly now: string;
  /**
   * Options of a statement over this connection under which its rows come as objects, no number loses digits and no date
   * is turned into a local one, whatever the panel has set.
   */
  exactValues(connection: unknown): Readonly<Record<string, unknown>>;
  /** A value as it must be bound, so that a text is read unchanged in every mode of the server. */
  readonly bind?: (value: unknown) => unknown;
  /** SQL that selects a column (`??`) so that its value does not depend on the session's settings. */
  selectSql(column: Column): string;
  /** SQL for the approximate number of bytes of text that a column (`??`) holds. */
  readonly lengthSql: string;
  /** Sends a query and returns the columns of its result, as far as the driver reports their types. */
  describe(query: Knex.QueryBuilder): Statement<readonly Column[]>;
  /** Whether `*` leaves out columns that a statement may name. */
  readonly hidesColumns?: true;
  /** Adds to the columns the facts that the driver does not report. `query` is of `knex` and selects no columns yet. */
  readonly complete?: (
    columns: readonly Column[],
    from: { readonly run: Run; readonly knex: Knex; readonly query: () => Knex.QueryBuilder },
  ) => Promise<readonly Column[]>;
  /** SQL for the name, type and collation of each column of a table (`?`); no rows if there is no such table. */
  readonly columnsSql: string;
  /** SQL for the name of each index of a table (`?`). */
  readonly indexesSql: string;
  /** The rows of a raw query's result. */
  rows(result: unknown): readonly Record<string, unknown>[];
  /** How the limiter counts hits of tokens. */
  readonly countHits: CountHits;
  /** The end of an INSERT that adds to the count of an existing row with the same key. */
  onConflictAdd(table: string, key: readonly string[], count: string): string;
  /** Deletes at most so many rows whose column is below a bound, and returns how many. */
  deleteBelow(
    knex: Knex,
    table: string,
    rows: { readonly column: string; readonly bound: number; readonly most: number },
  ): Statement<number>;
  /**
   * The statements that begin a transaction that may write, at READ COMMITTED whatever the handle's own level is, so that
   * few transactions conflict. `conflict` is the one by which the last attempt failed.
   */
  begin(conflict?: DatabaseFailure): readonly string[];
  /** The statements that begin a transaction that only reads, and sees the database as it was at its beginning. */
  readonly beginReading: readonly string[];
  /** SQL that finds a row if such a transaction, once begun, blocks no writer. Absent if no such transaction blocks one. */
  readonly readingBlocksNone?: string;
  /** How values of a column are compared with texts of clients; null if SQL cannot compare them as they are read. */
  compare(column: Column): Comparison | null;
  /** The same for a column of a key, by which rows are also sorted. */
  compareKey(column: Column): Comparison;
  /** The condition that times at `seconds` since 1970 and later meet, and perhaps a few earlier ones. */
  since(column: TimeColumn, seconds: number): SqlCondition;
  /** Whether a failure says that the statement does not fit the tables and columns that are there. */
  isStatementFailure(failure: DatabaseFailure): boolean;
  /** Whether a statement failed because the database's user may not read a table or a column. */
  isAccessFailure(failure: DatabaseFailure): boolean;
  /** Whether a statement or transaction failed because of another transaction, and changed nothing. */
  isConflict(failure: DatabaseFailure): boolean;
  /** Whether a statement failed because a unique column holds the value already. */
  isDuplicate(failure: DatabaseFailure): boolean;
  /** Whether it failed because another transaction held a row locked for longer than `boundLockWait` says. */
  isRowLocked(failure: DatabaseFailure): boolean;
  /** The SQL of a statement without bindings that waits for a locked row for so long at most. */
  boundLockWait(sql: string, seconds: 0 | 1): string;
  /**
   * Lets a driver that waits for locks in the event loop fail by a conflict at once instead. Returns the function that
   * restores the connection.
   */
  readonly refuseWaits?: (connection: object) => () => void;
  /** Runs the task while no other process runs one under the same lock. The lock of a dead process ends. */
  withLock<T>(session: LockSession, lock: string, task: () => Promise<T>): Promise<T>;
  /** How rows are read from one end of an index whose first columns are fixed, and never sorted. */
  readonly byIndex: {
    /** SQL of the table (`:table:`) that makes the planner use the index (`:index:`), whatever its statistics are. */
    readonly from: string;
    /** Whether the order must name the fixed columns too. */
    readonly namesFixed: boolean;
  };
  /** Sets the options of a table of the module's own. */
  readonly tableOptions?: (table: Knex.CreateTableBuilder) => void;
  /** SQL for the bytes of a column (`??`) in hex, which every driver returns as text. */
  readonly hexSql: string;
  /** The type of the column that keeps the 32 bytes of a token's hash. */
  readonly hashType: string;
  /** The version of the database server. */
  readonly versionSql: string;
}

/** The part of a session with which a dialect holds a lock. */
interface LockSession {
  rows(
    sql: string,
    bindings: readonly Knex.RawBinding[],
    patienceMs?: number,
  ): Promise<readonly Record<string, unknown>[]>;
  transaction<T>(task: () => Promise<T>): Promise<T>;
}

/** The hits that were counted in a token's window, and when it ends. */
export interface CountedHits {
  /** The id of the token; it may be missing if there was only one. */
  readonly token?: number;
  readonly hits: number;
  readonly secondsLeft: number;
}

/** Hits to add, by the ids of their tokens, in the order of the ids. */
export type AddedHits = ReadonlyMap<number, number>;

/**
 * SQL that adds hits to the windows of tokens, by the database's clock, and returns the sums. A window that does not
 * begin at a multiple of its length is from before a change of the length: its count goes on in the window around it.
 * The caller makes sure that all values are safe integers: they are written into the SQL, because knex and the drivers
 * take several times as long for bindings.
 */
export interface CountHits {
  /** The statement that adds hits, by a clock that is so far ahead of the database's, if the dialect needs one. */
  addSql(table: string, added: AddedHits, windowSeconds: number, aheadSeconds: number): string;
  /**
   * The statement that reads the sums in the same transaction, if the first statement did not return them; null if the
   * first always returns them for so many tokens.
   */
  readSql(table: string, added: AddedHits, windowSeconds: number): string | null;
  /** The sums in the result of either statement; fewer than the tokens if it does not return all. */
  read(result: unknown): readonly CountedHits[];
}
