import type { Knex } from 'knex';
import { DatabaseFailure, hasCode } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';
import type { Run, Statement } from './Statement';

/**
 * Several statements over one connection of the panel's pool, each with a time limit of its own. knex's own
 * transactions have none for BEGIN and COMMIT: a connection that the network lost would never be released.
 */
export class Session {
  readonly dialect: Dialect;
  readonly #knex: Knex;
  readonly #connection: { __knex__disposed?: unknown };
  readonly #patienceMs: number;
  #restore = () => {};

  private constructor(knex: Knex, dialect: Dialect, connection: object, patienceMs: number) {
    this.#knex = knex;
    this.dialect = dialect;
    this.#connection = connection;
    this.#patienceMs = patienceMs;
  }

  /** Takes a connection, which the caller returns to the pool with `release`. */
  static async acquire(knex: Knex, dialect: Dialect, patienceMs: number): Promise<Session> {
    const connection = await knex.client.acquireConnection();
    // Without one, knex would send each statement over another connection, and so outside of the transaction.
    if (!connection) throw new DatabaseFailure('connection', 'UNKNOWN_ANSWER');
    const session = new Session(knex, dialect, connection, patienceMs);
    try {
      session.#restore = dialect.refuseWaits?.(session.#connection) ?? session.#restore;
    } catch (error) {
      await session.release();
      throw error;
    }
    return session;
  }

  /** Takes a connection for the task and releases it when the task is over. */
  static async open<T>(
    knex: Knex,
    dialect: Dialect,
    patienceMs: number,
    task: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = await Session.acquire(knex, dialect, patienceMs);
    try {
      return await task(session);
    } finally {
      await session.release();
    }
  }

  async release(): Promise<void> {
    this.#restore();
    await this.#knex.client.releaseConnection(this.#connection);
  }

  /** Sends one statement. `patienceMs` is for one that may wait for others. */
  async run<T>(statement: (knex: Knex) => Statement<T>, patienceMs = this.#patienceMs): Promise<T> {
    return statement(this.#knex).connection(this.#connection).timeout(patienceMs);
  }

  /** Sends one statement as `run` does, and returns its rows. */
  async rows(
    sql: string,
    bindings: readonly Knex.RawBinding[] = [],
    patienceMs = this.#patienceMs,
  ): Promise<readonly Record<string, unknown>[]> {
    return this.dialect.rows(await this.run((knex) => knex.raw(sql, bindings), patienceMs));
  }

  /**
   * Sends each statement of a schema builder. An index of a long table takes a while. Where each statement commits by
   * itself, one whose table, column or index exists already is skipped.
   */
  async define(change: (schema: Knex.SchemaBuilder) => unknown): Promise<void> {
    const schema = this.#knex.schema;
    change(schema);
    for (const { sql, bindings = [] } of [schema.toSQL()].flat()) {
      await this.run((knex) => knex.raw(sql, [...bindings] as Knex.RawBinding[]), LOCK_PATIENCE_MS).catch(
        (error) => {
          if (!this.dialect.isDuplicateObject?.(DatabaseFailure.from('define', error))) throw error;
        },
      );
    }
  }

  /**
   * Sends the statements of the task as one transaction. `conflict` is the one by which the last attempt failed. Rejects
   * with the code COMMIT_UNANSWERED if COMMIT failed, but not by an error with which the database refuses it: then the
   * database may have carried it out.
   */
  async transaction<T>(task: () => Promise<T>, conflict?: DatabaseFailure): Promise<T> {
    const { begin, causalReads } = this.dialect;
    await this.#send(begin(conflict)).catch((error) => {
      const failure = DatabaseFailure.from('begin', error);
      if (!causalReads?.isUnknown(failure)) return this.#endBegun(failure, error);
      return this.#send(begin(failure));
    });
    let sent = false;
    try {
      const result = await task();
      sent = true;
      await this.#send(['COMMIT']);
      return result;
    } catch (error) {
      const answered = await this.rollBack();
      const isRefused =
        answered && hasCode(error) && !this.dialect.isCommitUnknown?.(DatabaseFailure.from('commit', error));
      throw sent && !isRefused ? new DatabaseFailure('commit', 'COMMIT_UNANSWERED') : error;
    }
  }

  /**
   * Begins a series of reads that see the database as it is at this moment, and returns the function that sends them.
   * After a read that failed, the next one begins a new moment. Returns null if the series would block writers. In each
   * case the caller ends it with `rollBack`.
   */
  async beginReading(): Promise<Run | null> {
    const { beginReading, readingBlocksNone } = this.dialect;
    await this.#send(beginReading);
    if (readingBlocksNone && (await this.rows(readingBlocksNone)).length === 0) return null;
    let failed = false;
    return async (name, statement) => {
      try {
        if (failed) {
          // PostgreSQL runs no more statements in a transaction in which one failed.
          await this.rollBack();
          await this.#send(beginReading);
          failed = false;
        }
        return await this.run(statement);
      } catch (error) {
        failed = true;
        throw DatabaseFailure.from(name, error);
      }
    };
  }

  /** Ends the transaction without its changes. Returns false if that fails: then the pool discards the connection. */
  async rollBack(): Promise<boolean> {
    // knex marks a connection like this if it did not answer a statement in time.
    if (this.#connection.__knex__disposed) return false;
    try {
      await this.#send(['ROLLBACK']);
      return true;
    } catch (error) {
      if (this.dialect.isRolledBack?.(DatabaseFailure.from('rollback', error))) return true;
      // The pool discards a connection with this mark: its statements may still run.
      this.#connection.__knex__disposed ??= 'given up by koa-panel-api';
      return false;
    }
  }

  /** Throws why BEGIN failed. Unless the database refused it, it may have been carried out, so it is rolled back. */
  async #endBegun(failure: DatabaseFailure, error: unknown): Promise<never> {
    const { dialect } = this;
    if (!dialect.isConflict(failure) && !dialect.isStatementFailure(failure)) await this.rollBack();
    throw error;
  }

  async #send(statements: readonly string[]): Promise<void> {
    for (const sql of statements) await this.run((knex) => knex.raw(sql));
  }
}
