import type { Knex } from 'knex';
import { InvalidInput } from '../errors/InvalidInput';
import { within } from '../time/within';
import { Bulkhead } from './Bulkhead';
import { DatabaseFailure } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';
import { dialectOf } from './dialectOf';
import type { LockWait } from './LockedRows';
import { moduleHandle, panelQueryHandle } from './moduleHandle';
import type { Reading } from './Reading';
import type { Run, Statement } from './Run';
import { retryConflicts } from './retryConflicts';
import { Session } from './Session';

/**
 * The panel's database as the module uses it: never more than half of the panel's connection pool, no query longer
 * than the deadline, and no failure that carries more than a code.
 */
export class Database {
  /** For the module's own statements. */
  readonly knex: Knex;
  /** For the queries that the panel writes. */
  readonly panelKnex: Knex;
  readonly dialect: Dialect;
  /** How long one query may take. */
  readonly deadlineMs: number;
  readonly #bulkhead: Bulkhead;
  readonly #readers: Bulkhead | null;

  constructor(knex: Knex, deadlineMs: number) {
    this.dialect = dialectOf(knex);
    this.knex = moduleHandle(knex, this.dialect);
    this.panelKnex = panelQueryHandle(knex, this.dialect);
    this.deadlineMs = deadlineMs;
    const share = Math.max(1, Math.floor((knex.client.pool?.max ?? 2) / 2));
    this.#bulkhead = new Bulkhead(share, deadlineMs);
    // Long lists leave the other half of the share to everybody else.
    this.#readers = share > 1 ? new Bulkhead(Math.floor(share / 2), deadlineMs) : null;
  }

  /**
   * Runs one statement under a name that the log may show. Rejects with a DatabaseFailure.
   * A connection whose query outlives the deadline is given up, so that a frozen server costs no pool slot for ever.
   */
  async query<T>(name: string, statement: (knex: Knex) => Statement<T>, lockWait?: LockWait): Promise<T> {
    return this.#inTime(name, (end) => this.#send(name, statement, end), lockWait);
  }

  /**
   * Runs a task that sends its statements one after another, once there is a place for it: what it makes of their rows
   * is not even begun while it waits. Rejects with a DatabaseFailure, or as the task does. The task must not ask for
   * another place, which may be its own.
   */
  async inPlace<T>(name: string, task: (run: Run) => Promise<T>): Promise<T> {
    const leave = await this.#bulkhead.enter(() => new DatabaseFailure(name, 'POOL_SHARE_TAKEN'));
    return this.#doInPlace(task, leave);
  }

  // Apart, so that what has waited for the place holds no rows: whatever waits long is collected late, with all it holds.
  async #doInPlace<T>(task: (run: Run) => Promise<T>, leave: () => void): Promise<T> {
    let sent: Promise<unknown> = Promise.resolve();
    try {
      return await task((query, statement) => {
        const end = this.#end();
        const outcome = retryConflicts(this.dialect.isConflict, end, () =>
          this.#send(query, statement, end).catch((error) => failAs(query, error)),
        );
        sent = outcome;
        return within(outcome, this.deadlineMs, () => new DatabaseFailure(query, 'DEADLINE'));
      });
    } finally {
      // A statement that was given up may still wait for a connection of the panel's pool, and has its place until then.
      sent.then(leave, leave);
    }
  }

  /** The rows of a raw statement that was compiled once. */
  async rows(
    name: string,
    sql: string,
    bindings: Knex.RawBinding[] = [],
  ): Promise<readonly Record<string, unknown>[]> {
    return this.dialect.rows(await this.query(name, (knex) => knex.raw(sql, bindings)));
  }

  /**
   * Runs several statements in one transaction, and all of them again after a conflict with another transaction. Rejects
   * with a DatabaseFailure, or with the InvalidInput that the task threw. A transaction that outlives the deadline is
   * committed only if the database had its COMMIT before.
   */
  async transaction<T>(
    name: string,
    task: (session: Session) => Promise<T>,
    lockWait?: LockWait,
  ): Promise<T> {
    const attempt = (end: number, conflict?: DatabaseFailure) =>
      this.#open((session) =>
        session.transaction(this.dialect.begin(conflict), async () => {
          const result = await task(session);
          this.#refuseLate(name, end);
          return result;
        }),
      );
    return this.#inTime(name, attempt, lockWait);
  }

  /** Runs the task while no other process runs one under the same lock; it may have to wait for another. */
  async locked<T>(name: string, lock: string, task: (session: Session) => Promise<T>): Promise<T> {
    return retryConflicts(this.dialect.isConflict, performance.now() + LOCK_PATIENCE_MS, () =>
      this.#guarded(name, () =>
        this.#open((session) => this.dialect.withLock(session, lock, () => task(session))),
      ),
    );
  }

  /**
   * Opens a series of reads of the database as it is at this moment. A pool of fewer than four connections has none
   * to lend for so long, and SQLite without WAL lets nobody write meanwhile: there each statement reads the database as
   * it is by then. Rejects with a DatabaseFailure.
   */
  async openReading(name: string): Promise<Reading> {
    const readers = this.#readers;
    if (!readers) return this.#readApart();
    const opening = retryConflicts(this.dialect.isConflict, this.#end(), () =>
      this.#openReading(name, readers).catch((error) => failAs(name, error)),
    );
    try {
      return await within(opening, this.deadlineMs, () => new DatabaseFailure(name, 'DEADLINE'));
    } catch (error) {
      opening.then(
        (reading) => reading.close(),
        () => undefined,
      );
      throw DatabaseFailure.from(name, error);
    }
  }

  async #openReading(name: string, readers: Bulkhead): Promise<Reading> {
    const tired = () => new DatabaseFailure(name, 'POOL_SHARE_TAKEN');
    const undo: (() => unknown)[] = [await readers.enter(tired)];
    const close = async () => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
      undo.push(await this.#bulkhead.enter(tired));
      const session = await Session.acquire(this.knex, this.dialect, this.deadlineMs);
      undo.push(() => session.release());
      undo.push(() => session.rollBack());
      const { beginReading, readingBlocksNone, rows } = this.dialect;
      const begin = async () => {
        for (const sql of beginReading) await session.run((knex) => knex.raw(sql));
      };
      await begin();
      if (readingBlocksNone && rows(await session.run((knex) => knex.raw(readingBlocksNone))).length === 0) {
        await close();
        return this.#readApart();
      }
      let failed = false;
      const run: Run = async (query, statement) => {
        try {
          if (failed) {
            // PostgreSQL runs no more statements in a transaction in which one failed.
            await session.rollBack();
            await begin();
            failed = false;
          }
          return await session.run(statement);
        } catch (error) {
          failed = true;
          return failAs(query, error);
        }
      };
      return { run, close };
    } catch (error) {
      await close();
      throw error;
    }
  }

  #readApart(): Reading {
    return { run: (query, statement) => this.query(query, statement), close: async () => {} };
  }

  #end(): number {
    return performance.now() + this.deadlineMs;
  }

  #open<T>(task: (session: Session) => Promise<T>): Promise<T> {
    return Session.open(this.knex, this.dialect, this.deadlineMs, task);
  }

  // knex's own time limit does not cover the wait for a connection.
  #send<T>(name: string, statement: (knex: Knex) => Statement<T>, end: number): Promise<T> {
    return this.#open((session) => {
      this.#refuseLate(name, end);
      return session.run(statement);
    });
  }

  #refuseLate(name: string, end: number): void {
    if (performance.now() >= end) throw new DatabaseFailure(name, 'DEADLINE');
  }

  #inTime<T>(
    name: string,
    task: (end: number, conflict: DatabaseFailure | undefined) => Promise<T>,
    { repeats }: Pick<LockWait, 'repeats'> = { repeats: true },
  ): Promise<T> {
    const end = this.#end();
    const { dialect } = this;
    const isConflict = (failure: DatabaseFailure) =>
      dialect.isConflict(failure) && (repeats || !dialect.isRowLocked(failure));
    const outcome = retryConflicts(isConflict, end, (conflict) =>
      this.#guarded(name, () => task(end, conflict)),
    );
    return within(outcome, this.deadlineMs, () => new DatabaseFailure(name, 'DEADLINE'));
  }

  async #guarded<T>(name: string, task: () => Promise<T>): Promise<T> {
    try {
      return await this.#bulkhead.run(task, () => new DatabaseFailure(name, 'POOL_SHARE_TAKEN'));
    } catch (error) {
      // A task that refuses what it was asked is no failure of the database.
      if (error instanceof InvalidInput) throw error;
      throw DatabaseFailure.from(name, error);
    }
  }
}

function failAs(name: string, error: unknown): never {
  throw DatabaseFailure.from(name, error);
}
