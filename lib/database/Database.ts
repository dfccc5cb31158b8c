import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import { InvalidInput } from '../errors/InvalidInput';
import { Bulkhead, both, ConnectionSlots, type Holder, type Leave } from './ConnectionSlots';
import { DatabaseFailure } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';
import { handlesOf } from './handles';
import { Session } from './Session';
import type { Run, Statement } from './Statement';

/** How a statement treats a row that another transaction holds locked. */
export interface LockWait {
  /** For how many seconds it waits for the row. */
  readonly seconds: 0 | 1;
  /** Whether it is repeated until the deadline while the row is locked. */
  readonly repeats: boolean;
}

/**
 * A series of reads that see the database as it was at one moment, over a connection that is held until `close`.
 * The caller that opens one closes it, whatever happens. After a statement that failed, the next one begins a new moment.
 */
export interface Reading {
  readonly run: Run;
  /** Releases the connection. Never rejects, and does nothing the second time. */
  close(): Promise<void>;
}

/** How the statements of one view of a database get their slots. */
interface Entrance {
  /** The holder of the slots for long lists. */
  readonly holder: Holder;
  readonly enter: (onTimeout: () => Error) => Promise<Leave>;
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
  readonly #slots: ConnectionSlots;
  readonly #entrance: Entrance;

  /**
   * With a view, the same database with another entrance. Without one, the statements are the module's own, and have a
   * slot apart from reads of the panel's data.
   */
  constructor(panel: Knex, deadlineMs: number, view?: Entrance & { readonly of: Database }) {
    const { dialect, knex, panelKnex } = view?.of ?? handlesOf(panel);
    this.dialect = dialect;
    this.knex = knex;
    this.panelKnex = panelKnex;
    this.deadlineMs = deadlineMs;
    const slots = view ? view.of.#slots : new ConnectionSlots(panel.client.pool?.max ?? 2, deadlineMs);
    this.#slots = slots;
    this.#entrance = view ?? { holder: 'module', enter: (onTimeout) => slots.own(onTimeout) };
  }

  /** The same database for reads of the panel's data, in the slots that this holder may have for them. */
  reading(holder: Holder): Database {
    return this.#view({ holder, enter: (onTimeout) => this.#slots.read(holder, onTimeout) });
  }

  /**
   * Runs one statement under a name that the log may show. Rejects with a DatabaseFailure.
   * A connection whose query outlives the deadline is given up, so that a frozen server costs no pool slot for ever.
   */
  async query<T>(name: string, statement: (knex: Knex) => Statement<T>, lockWait?: LockWait): Promise<T> {
    const attempt = (session: Session, refuseLate: () => void) => {
      // knex's own time limit does not cover the wait for a connection.
      refuseLate();
      return session.run(statement);
    };
    return this.#inTime(name, attempt, lockWait);
  }

  /** Runs one raw statement as `query` does, and returns its rows. */
  async rows(
    name: string,
    sql: string,
    bindings: readonly Knex.RawBinding[] = [],
  ): Promise<readonly Record<string, unknown>[]> {
    return this.dialect.rows(await this.query(name, (knex) => knex.raw(sql, bindings)));
  }

  /**
   * Runs a task as soon as there is a slot for it. The task is passed a database that sends its statements in that
   * slot, one after another. Rejects with a DatabaseFailure, or as the task does. The task must not use another Database,
   * whose slot may be this one.
   */
  async withSlot<T>(name: string, task: (database: Database) => Promise<T>): Promise<T> {
    return this.#runInSlot(task, await this.#enter(name));
  }

  // A function of its own, so that the call that waited for the slot holds no rows: memory that waits long is freed late.
  async #runInSlot<T>(task: (database: Database) => Promise<T>, leave: Leave): Promise<T> {
    let users = 0;
    // A statement that was given up may still wait for a connection of the panel's pool, and has its slot until then.
    const use = (): Leave => {
      users += 1;
      return () => {
        users -= 1;
        if (users === 0) leave();
      };
    };
    const end = use();
    const inside = new Bulkhead(1, this.deadlineMs);
    const enter = (onTimeout: () => Error) =>
      both(
        () => inside.enter('inSlot', onTimeout),
        async () => use(),
      );
    try {
      return await task(this.#view({ ...this.#entrance, enter }));
    } finally {
      end();
    }
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
    const attempt = (session: Session, refuseLate: () => void, conflict?: DatabaseFailure) =>
      session.transaction(async () => {
        const result = await task(session);
        refuseLate();
        return result;
      }, conflict);
    return this.#inTime(name, attempt, lockWait);
  }

  /** Runs the task while no other process runs one under the same lock; it may have to wait for another. */
  async locked<T>(name: string, lock: string, task: (session: Session) => Promise<T>): Promise<T> {
    return retryConflicts(this.dialect.isConflict, performance.now() + LOCK_PATIENCE_MS, () =>
      this.#inSession(name, (session) => this.dialect.withLock(session, lock, () => task(session))),
    );
  }

  /**
   * Opens a series of reads of the database as it is at this moment. A pool of fewer than four connections has none
   * to lend for so long, and SQLite without WAL blocks all writers meanwhile: there each statement reads the database as
   * it is by then. Rejects with a DatabaseFailure.
   */
  async openReading(name: string): Promise<Reading> {
    if (!this.#slots.lendsForLong) return this.#readApart();
    const opening = retryConflicts(this.dialect.isConflict, this.#end(), () => this.#openReading(name));
    const late = () => new DatabaseFailure(name, 'DEADLINE');
    return withTimeout(opening, this.deadlineMs, late).catch((error) => {
      opening.then(
        (reading) => reading.close(),
        () => undefined,
      );
      throw error;
    });
  }

  async #openReading(name: string): Promise<Reading> {
    const undo: (() => unknown)[] = [];
    const close = async () => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
      undo.push(await this.#slots.readLong(this.#entrance.holder, () => noFreeSlot(name)));
      const session = await Session.acquire(this.knex, this.dialect, this.deadlineMs);
      undo.push(
        () => session.release(),
        () => session.rollBack(),
      );
      const run = await session.beginReading();
      if (run) return { run, close };
      await close();
      return this.#readApart();
    } catch (error) {
      await close();
      throw DatabaseFailure.from(name, error);
    }
  }

  #readApart(): Reading {
    return { run: (query, statement) => this.query(query, statement), close: async () => {} };
  }

  #inTime<T>(
    name: string,
    task: (session: Session, refuseLate: () => void, conflict?: DatabaseFailure) => Promise<T>,
    { repeats }: Pick<LockWait, 'repeats'> = { repeats: true },
  ): Promise<T> {
    const end = this.#end();
    const { dialect } = this;
    const isConflict = (failure: DatabaseFailure) =>
      dialect.isConflict(failure) && (repeats || !dialect.isRowLocked(failure));
    // Between two attempts the conflict is the reason that nothing was done. During one only the deadline is: its COMMIT
    // may have been sent.
    const deadline = new DatabaseFailure(name, 'DEADLINE');
    let lateness: Error = deadline;
    const outcome = retryConflicts(isConflict, end, async (conflict) => {
      lateness = deadline;
      const refuseLate = () => {
        if (performance.now() >= end) throw conflict ?? deadline;
      };
      try {
        return await this.#inSession(name, (session) => task(session, refuseLate, conflict));
      } catch (error) {
        lateness = error as Error;
        throw error;
      }
    });
    return withTimeout(outcome, this.deadlineMs, () => lateness);
  }

  async #inSession<T>(name: string, task: (session: Session) => Promise<T>): Promise<T> {
    const leave = await this.#enter(name);
    try {
      return await Session.open(this.knex, this.dialect, this.deadlineMs, task);
    } catch (error) {
      // A task that refuses what it was asked is no failure of the database.
      if (error instanceof InvalidInput) throw error;
      throw DatabaseFailure.from(name, error);
    } finally {
      leave();
    }
  }

  #enter(name: string): Promise<Leave> {
    return this.#entrance.enter(() => noFreeSlot(name));
  }

  #view(entrance: Entrance): Database {
    return new Database(this.knex, this.deadlineMs, { ...entrance, of: this });
  }

  #end(): number {
    return performance.now() + this.deadlineMs;
  }
}

function noFreeSlot(name: string): DatabaseFailure {
  return new DatabaseFailure(name, 'POOL_SHARE_TAKEN');
}

/** The longest pause between two attempts, in milliseconds; the first one is at most a sixteenth of it. */
const MOST_PAUSE_MS = 64;

/**
 * Runs the task again while it fails by a conflict with another transaction, until `end` (by `performance.now()`), and
 * rejects as its last run did. The pauses are random, so that two that collided do not collide again. The task must
 * have changed nothing when it fails; it is passed the conflict by which its last run failed.
 */
async function retryConflicts<T>(
  isConflict: (failure: DatabaseFailure) => boolean,
  end: number,
  task: (conflict?: DatabaseFailure) => Promise<T>,
): Promise<T> {
  let conflict: DatabaseFailure | undefined;
  for (let most = MOST_PAUSE_MS / 16; ; most = Math.min(2 * most, MOST_PAUSE_MS)) {
    try {
      return await task(conflict);
    } catch (error) {
      const pauseMs = Math.random() * most;
      const isLate = performance.now() + pauseMs >= end;
      if (isLate || !(error instanceof DatabaseFailure) || !isConflict(error)) throw error;
      conflict = error;
      await sleep(pauseMs);
    }
  }
}
