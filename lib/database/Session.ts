import type { Knex } from 'knex';
import { DatabaseFailure, hasCode } from './DatabaseFailure';
import type { Dialect } from './Dialect';
import type { Handles } from './handles';
import { type Rows, type Run, type Statement, statementOf } from './Statement';
import { untilEnded } from './untilEnded';

/** How long a change of a table may take, in milliseconds. */
export const DEFINE_LIMIT_MS = 600_000;

interface SessionParts extends Handles {
  /** The longest time for one statement, in milliseconds. */
  readonly deadlineMs: number;
}

/**
 * Several statements over one connection of the panel's pool. The server ends each of them at its time limit. knex's own
 * time limit only gives a statement up, which then runs on in the server.
 */
export class Session {
  readonly dialect: Dialect;
  readonly #parts: SessionParts;
  readonly #connection: { __knex__disposed?: unknown };
  readonly #end: number;
  #afterCommit: ((isCertain: boolean) => Promise<void>)[] = [];
  #restore = () => {};

  private constructor(parts: SessionParts, connection: object, end: number) {
    this.dialect = parts.dialect;
    this.#parts = parts;
    this.#connection = connection;
    this.#end = end;
  }

  /**
   * Takes a connection, which the caller returns to the pool with `release`. `end` is when all statements must have ended,
   * by the clock.
   */
  static async acquire(parts: SessionParts, end = Infinity): Promise<Session> {
    const connection = await parts.knex.client.acquireConnection();
    // Without one, knex would send each statement over another connection, and so outside of the transaction.
    if (!connection) throw new DatabaseFailure('connection', 'UNKNOWN_ANSWER');
    const session = new Session(parts, connection, end);
    try {
      session.#restore = parts.dialect.refuseWaits?.(session.#connection) ?? session.#restore;
    } catch (error) {
      await session.release();
      throw error;
    }
    return session;
  }

  async release(): Promise<void> {
    this.#restore();
    // The pool would close it only when it is taken again, and then wait for its statement.
    if (this.#connection.__knex__disposed) this.dialect.close?.(this.#connection);
    await this.#parts.knex.client.releaseConnection(this.#connection);
  }

  /**
   * Sends one statement, and settles when the server has ended it. `limitMs` is for one that may wait for others, or
   * that must run although the time is over.
   */
  async run<T>(statement: (knex: Knex) => Statement<T>, limitMs = this.#msLeft()): Promise<T> {
    const connection = this.#connection;
    const answer = statement(this.#parts.knex).options({ limitMs }).connection(connection);
    try {
      return await untilEnded({ answer, connection, limitMs }, this.dialect, this.#parts.processClock);
    } catch (error) {
      if (hasCode(error) && error.code === 'STATEMENT_ABANDONED') connection.__knex__disposed ??= error;
      throw error;
    }
  }

  #msLeft(): number {
    const { deadlineMs, processClock } = this.#parts;
    return Math.ceil(Math.max(1, Math.min(deadlineMs, this.#end - processClock.now())));
  }

  /** Sends one statement as `run` does, and returns its rows. */
  async rows(
    sql: string,
    bindings: readonly Knex.RawBinding[] = [],
    limitMs = this.#msLeft(),
  ): Promise<Rows> {
    return this.dialect.rows(await this.run((knex) => statementOf(knex, sql, bindings), limitMs));
  }

  /**
   * Sends each statement of a schema builder. An index of a long table takes a while. Where each statement commits by
   * itself, one whose table, column or index exists already is skipped.
   */
  async define(change: (schema: Knex.SchemaBuilder) => unknown): Promise<void> {
    const schema = this.#parts.knex.schema;
    change(schema);
    for (const { sql, bindings = [] } of [schema.toSQL()].flat()) {
      await this.run((knex) => knex.raw(sql, [...bindings] as Knex.RawBinding[]), DEFINE_LIMIT_MS).catch(
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
    const { dialect } = this;
    await this.#send(dialect.begin(conflict)).catch(async (error) => {
      const failure = DatabaseFailure.from('begin', error);
      if (dialect.causalReads?.isUnknown(failure)) return this.#send(dialect.begin(failure));
      // Unless the database refused it, it may have been carried out.
      if (!dialect.isConflict(failure) && !dialect.isStatementFailure(failure)) await this.rollBack();
      throw error;
    });
    let sent = false;
    this.#afterCommit = [];
    const committed = async (isCertain: boolean) => {
      for (const then of this.#afterCommit) await then(isCertain);
    };
    try {
      const result = await task();
      sent = true;
      await this.#send(['COMMIT']);
      await committed(true);
      return result;
    } catch (error) {
      const answered = await this.rollBack();
      const isRefused =
        answered && hasCode(error) && !dialect.isCommitUnknown?.(DatabaseFailure.from('commit', error));
      if (!sent || isRefused) throw error;
      await committed(false);
      throw new DatabaseFailure('commit', 'COMMIT_UNANSWERED');
    }
  }

  /**
   * Calls the function when the transaction is committed, with false if the answer to COMMIT was lost, and waits for it. It
   * must not fail.
   */
  afterCommit(then: (isCertain: boolean) => Promise<void>): void {
    this.#afterCommit.push(then);
  }

  /**
   * Begins a series of reads that see the database as it is at this moment, and returns the function that sends them.
   * After a read that failed, the next one begins a new moment. Returns null if the series would block writers. In each
   * case the caller ends it with `rollBack`.
   */
  async beginSnapshot(): Promise<Run | null> {
    const { beginSnapshot, snapshotBlocksNone } = this.dialect;
    await this.#send(beginSnapshot);
    if (snapshotBlocksNone && (await this.rows(snapshotBlocksNone)).length === 0) return null;
    let failed = false;
    return async (name, statement) => {
      try {
        if (failed) {
          // PostgreSQL runs no more statements in a transaction in which one failed.
          await this.rollBack();
          await this.#send(beginSnapshot);
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
    if (this.#connection.__knex__disposed) return false;
    try {
      await this.run((knex) => statementOf(knex, 'ROLLBACK'), this.#parts.deadlineMs);
      return true;
    } catch (error) {
      if (this.dialect.isRolledBack?.(DatabaseFailure.from('rollback', error))) return true;
      // The pool discards a connection with this mark: its statements may still run.
      this.#connection.__knex__disposed ??= 'given up by koa-panel-api';
      return false;
    }
  }

  async #send(statements: readonly string[]): Promise<void> {
    for (const sql of statements) await this.run((knex) => statementOf(knex, sql));
  }
}
