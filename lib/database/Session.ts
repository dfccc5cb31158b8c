import type { Knex } from 'knex';
import { DatabaseFailure } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';

/** A statement that knex can give up: a query builder or a raw statement, and no schema builder. */
export type Statement<T> = PromiseLike<T> & {
  timeout(milliseconds: number): PromiseLike<T>;
  connection(connection: unknown): Statement<T>;
};

/** Sends one statement under a name that the log may show. Rejects with a DatabaseFailure. */
export type Run = <T>(name: string, statement: (knex: Knex) => Statement<T>) => Promise<T>;

/**
 * A series of reads that see the database as it was at one moment, over a connection that is held until `close`.
 * The caller that opens one closes it, whatever happens. After a statement that failed, the next one begins a new moment.
 */
export interface Reading {
  readonly run: Run;
  /** Gives the connection back. Never rejects, and does nothing the second time. */
  close(): Promise<void>;
}

/**
 * Several statements over one connection of the panel's pool, each with a time limit of its own. knex's own
 * transactions have none for BEGIN and COMMIT: a connection that the network lost would never be given back.
 */
export class Session {
  readonly #knex: Knex;
  readonly #connection: { __knex__disposed?: unknown };
  readonly #patienceMs: number;
  #restore = () => {};

  private constructor(knex: Knex, connection: object, patienceMs: number) {
    this.#knex = knex;
    this.#connection = connection;
    this.#patienceMs = patienceMs;
  }

  /** Takes a connection, which is to be given back with `release`. */
  static async acquire(knex: Knex, dialect: Dialect, patienceMs: number): Promise<Session> {
    const session = new Session(knex, await knex.client.acquireConnection(), patienceMs);
    try {
      session.#restore = dialect.refuseWaits(session.#connection);
    } catch (error) {
      await session.release();
      throw error;
    }
    return session;
  }

  /** Takes a connection for the task and gives it back when the task is over. */
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

  /** Sends each statement of a schema builder. An index of a long table takes a while. */
  async define(change: (schema: Knex.SchemaBuilder) => unknown): Promise<void> {
    const schema = this.#knex.schema;
    change(schema);
    for (const { sql, bindings = [] } of [schema.toSQL()].flat()) {
      await this.run((knex) => knex.raw(sql, [...bindings] as Knex.RawBinding[]), LOCK_PATIENCE_MS);
    }
  }

  /**
   * Sends the statements of the task as one transaction. Rejects with the code COMMIT_UNANSWERED if the connection was
   * lost before the answer to COMMIT: then the database may have carried it out.
   */
  async transaction<T>(begin: readonly string[], task: () => Promise<T>): Promise<T> {
    for (const sql of begin) await this.run((knex) => knex.raw(sql));
    let sent = false;
    try {
      const result = await task();
      sent = true;
      await this.run((knex) => knex.raw('COMMIT'));
      return result;
    } catch (error) {
      const answered = await this.rollBack();
      throw sent && !answered ? new DatabaseFailure('commit', 'COMMIT_UNANSWERED') : error;
    }
  }

  /** Ends the transaction without what it changed. Returns false if that fails: then the connection is given up. */
  async rollBack(): Promise<boolean> {
    // So marks knex a connection whose statement was not answered in time.
    if (this.#connection.__knex__disposed) return false;
    try {
      await this.run((knex) => knex.raw('ROLLBACK'));
      return true;
    } catch {
      // The pool gives up a connection with this mark: nobody knows what it would still carry out.
      this.#connection.__knex__disposed ??= 'given up by koa-panel-api';
      return false;
    }
  }
}
