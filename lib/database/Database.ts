import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import { InvalidInput } from '../errors/InvalidInput';
import { DatabaseFailure } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';
import { dialectOf } from './dialectOf';
import type { LockWait } from './LockedRows';
import { moduleHandle, panelQueryHandle } from './moduleHandle';
import { Bulkhead, type Holder, type Leave, Places } from './Places';
import { retryConflicts } from './retryConflicts';
import { type Reading, type Run, Session, type Statement } from './Session';

/** How the statements of one view of a database come to their places. */
interface Entrance {
  readonly of: Database;
  /** Who reads long lists. */
  readonly holder: Holder;
  readonly enter: (tired: () => Error) => Promise<Leave>;
}

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
  readonly #places: Places;
  readonly #entrance: Omit<Entrance, 'of'>;

  /** Without an entrance the statements are the module's own, and have a place apart from reads of the panel's data. */
  constructor(knex: Knex, deadlineMs: number, entrance?: Entrance) {
    const origin = entrance?.of;
    this.dialect = origin?.dialect ?? dialectOf(knex);
    this.knex = origin?.knex ?? moduleHandle(knex, this.dialect);
    this.panelKnex = origin?.panelKnex ?? panelQueryHandle(knex, this.dialect);
    this.deadlineMs = deadlineMs;
    const places = origin ? origin.#places : new Places(knex.client.pool?.max ?? 2, deadlineMs);
    this.#places = places;
    this.#entrance = entrance ?? { holder: 'module', enter: (tired) => places.own(tired) };
  }

  /** The same database for reads of the panel's data, in the places that this holder may have for them. */
  reading(holder: Holder): Database {
    return this.#view({ holder, enter: (tired) => this.#places.read(holder, tired) });
  }

  /**
   * Runs one statement under a name that the log may show. Rejects with a DatabaseFailure.
   * A connection whose query outlives the deadline is given up, so that a frozen server costs no pool slot for ever.
   */
  async query<T>(name: string, statement: (knex: Knex) => Statement<T>, lockWait?: LockWait): Promise<T> {
    return this.#inTime(name, (refuseLate) => this.#send(statement, refuseLate), lockWait);
  }

  /** Runs a task in a place as `placed` does, which needs no more than single statements. */
  async inPlace<T>(name: string, task: (run: Run) => Promise<T>): Promise<T> {
    return this.placed(name, (database) => task((query, statement) => database.query(query, statement)));
  }

  /**
   * Runs a task once there is a place for it, in which the database that it is given sends its statements one after
   * another. What the task makes of their rows is not even begun while it waits. Rejects with a
   * DatabaseFailure, or as the task does. The task must not ask another Database, whose place may be this one.
   */
  async placed<T>(name: string, task: (database: Database) => Promise<T>): Promise<T> {
    return this.#doPlaced(task, await this.#enter(name));
  }

  // Apart, so that what has waited for the place holds no rows: whatever waits long is collected late, with all it holds.
  async #doPlaced<T>(task: (database: Database) => Promise<T>, leave: Leave): Promise<T> {
    let users = 0;
    // A statement that was given up may still wait for a connection of the panel's pool, and has its place until then.
    const use = (): Leave => {
      users += 1;
      return () => {
        users -= 1;
        if (users === 0) leave();
      };
    };
    const end = use();
    const inside = new Bulkhead(1, this.deadlineMs);
    const enter = async (tired: () => Error): Promise<Leave> => {
      const ends = [await inside.enter('placed', tired), use()];
      return () => {
        for (const one of ends) one();
      };
    };
    try {
      return await task(this.#view({ ...this.#entrance, enter }));
    } finally {
      end();
    }
  }

  #view(entrance: Omit<Entrance, 'of'>): Database {
    return new Database(this.knex, this.deadlineMs, { ...entrance, of: this });
  }

  #enter(name: string): Promise<Leave> {
    return this.#entrance.enter(() => new DatabaseFailure(name, 'POOL_SHARE_TAKEN'));
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
    const attempt = (refuseLate: () => void, conflict?: DatabaseFailure) =>
      this.#open((session) =>
        session.transaction(this.dialect.begin(conflict), async () => {
          const result = await task(session);
          refuseLate();
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
   * to lend for so long, and SQLite without WAL blocks all writers meanwhile: there each statement reads the database as
   * it is by then. Rejects with a DatabaseFailure.
   */
  async openReading(name: string): Promise<Reading> {
    if (!this.#places.lendsForLong) return this.#readApart();
    const opening = retryConflicts(this.dialect.isConflict, this.#end(), () =>
      this.#openReading(name).catch((error) => failAs(name, error)),
    );
    try {
      return await withTimeout(opening, this.deadlineMs, () => new DatabaseFailure(name, 'DEADLINE'));
    } catch (error) {
      opening.then(
        (reading) => reading.close(),
        () => undefined,
      );
      throw DatabaseFailure.from(name, error);
    }
  }

  async #openReading(name: string): Promise<Reading> {
    const tired = () => new DatabaseFailure(name, 'POOL_SHARE_TAKEN');
    const undo: (() => unknown)[] = [await this.#places.readLong(this.#entrance.holder, tired)];
    const close = async () => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
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
  #send<T>(statement: (knex: Knex) => Statement<T>, refuseLate: () => void): Promise<T> {
    return this.#open((session) => {
      refuseLate();
      return session.run(statement);
    });
  }

  #inTime<T>(
    name: string,
    task: (refuseLate: () => void, conflict: DatabaseFailure | undefined) => Promise<T>,
    { repeats }: Pick<LockWait, 'repeats'> = { repeats: true },
  ): Promise<T> {
    const end = this.#end();
    const { dialect } = this;
    const isConflict = (failure: DatabaseFailure) =>
      dialect.isConflict(failure) && (repeats || !dialect.isRowLocked(failure));
    // After a conflict the conflict is the reason, not the deadline that its repetitions met.
    let lateness = new DatabaseFailure(name, 'DEADLINE');
    const refuseLate = () => {
      if (performance.now() >= end) throw lateness;
    };
    const outcome = retryConflicts(isConflict, end, (conflict) => {
      lateness = conflict ?? lateness;
      return this.#guarded(name, () => task(refuseLate, conflict));
    });
    return withTimeout(outcome, this.deadlineMs, () => lateness);
  }

  async #guarded<T>(name: string, task: () => Promise<T>): Promise<T> {
    const leave = await this.#enter(name);
    try {
      return await task();
    } catch (error) {
      // A task that refuses what it was asked is no failure of the database.
      if (error instanceof InvalidInput) throw error;
      throw DatabaseFailure.from(name, error);
    } finally {
      leave();
    }
  }
}

function failAs(name: string, error: unknown): never {
  throw DatabaseFailure.from(name, error);
}
