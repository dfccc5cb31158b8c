import type { Knex } from 'knex';
import { withTimeout } from '../async/withTimeout';
import { InvalidInput } from '../errors/InvalidInput';
import {
  Bulkhead,
  type ConnectionSlots,
  connectionSlots,
  type Holder,
  type Leave,
  shareOf,
} from './ConnectionSlots';
import { DatabaseFailure, integerIn } from './DatabaseFailure';
import { type Dialect, LOCK_PATIENCE_MS } from './Dialect';
import { handlesOf } from './handles';
import { retryConflicts } from './retryConflicts';
import { type Patience, Session } from './Session';
import type { Run, Statement } from './Statement';

/** The longest time that a timer of Node takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** How a statement treats a row that another transaction has locked. */
export interface LockWait {
  /** How many seconds it waits for the row. */
  readonly seconds: 0 | 1;
  /** Whether it is repeated until the deadline while the row is locked. */
  readonly repeats: boolean;
}

/**
 * A series of reads of one snapshot of the database, over a connection that is held until `close`. The caller must
 * always close it. After a failed statement, the next one begins a new snapshot.
 */
export interface ReadSeries {
  readonly run: Run;
  /** Whether it is one snapshot, and not the data of each moment. */
  readonly isSnapshot: boolean;
  /** Releases the connection. Never rejects. Further calls do nothing. */
  close(): Promise<void>;
}

/** How statements get their slots, and how long they may take. */
interface Entrance {
  /** The holder of the slots for long lists. */
  readonly holder: Holder;
  readonly enter: (onTimeout: () => Error) => Promise<Leave>;
  /** When the last statement must have ended, by `performance.now()`. Default: each has the deadline for itself. */
  readonly end?: number;
  /** What each statement waits for before its deadline begins, and before it takes a slot: migrations need one too. */
  readonly ready?: () => Promise<void>;
}

/**
 * The panel's database as the module uses it: at most half of the panel's connection pool, no statement that runs on
 * after the deadline, and no failure that contains more than a code.
 */
export class Database {
  /** For the module's own statements. */
  readonly knex: Knex;
  /** For the panel's queries. */
  readonly panelKnex: Knex;
  readonly dialect: Dialect;
  /** The time limit of one query. */
  readonly deadlineMs: number;
  readonly #slots: ConnectionSlots;
  readonly #entrance: Entrance;

  /**
   * With a view, the same database with other slots. Without one, statements are the module's own and use their own
   * slots.
   */
  constructor(panel: Knex, deadlineMs: number, view?: Entrance & { readonly of: Database }) {
    const { dialect, knex, panelKnex } = view?.of ?? handlesOf(panel);
    this.dialect = dialect;
    this.knex = knex;
    this.panelKnex = panelKnex;
    this.deadlineMs = deadlineMs;
    const slots = view ? view.of.#slots : connectionSlots(shareOf(panel), deadlineMs);
    this.#slots = slots;
    this.#entrance = view ?? { holder: 'module', enter: slots.own };
  }

  /**
   * Returns the same database for reads of the panel's data, in the slots of this holder. `tokenId` is the token that asks
   * for them, if others share what is read.
   */
  reading(holder: Holder, tokenId?: number): Database {
    const enter: Entrance['enter'] = (onTimeout) => this.#slots.read(holder, onTimeout, tokenId);
    return this.#view({ ...this.#entrance, holder, enter });
  }

  /** Returns the same database, whose statements wait until `ready` resolves, except in `locked` and `openReading`. */
  after(ready: () => Promise<void>): Database {
    return this.#view({ ...this.#entrance, ready });
  }

  /**
   * Runs one statement under a name for the log. Rejects with a DatabaseFailure. At the deadline the server ends it, and
   * until then it keeps its slot.
   */
  async query<T>(name: string, statement: (knex: Knex) => Statement<T>, lockWait?: LockWait): Promise<T> {
    await this.#entrance.ready?.();
    const attempt = (session: Session, refuseLate: () => void) => {
      // knex's own timeout does not cover the wait for a connection.
      refuseLate();
      return session.run(statement);
    };
    return this.#inTime(name, attempt, lockWait);
  }

  /** `query`, as a function. */
  readonly run: Run = (name, statement) => this.query(name, statement);

  /** Runs one raw statement like `query`, and returns its rows. */
  async rows(
    name: string,
    sql: string,
    bindings: readonly Knex.RawBinding[] = [],
  ): Promise<readonly Record<string, unknown>[]> {
    return this.dialect.rows(await this.query(name, (knex) => knex.raw(sql, bindings)));
  }

  /** Returns the time by the database's clock, in whole seconds since 1970. */
  async clock(): Promise<number> {
    const [row] = await this.rows('clock', `SELECT ${this.dialect.now} AS clock`);
    return integerIn('clock', row?.clock);
  }

  /**
   * Runs a task when it gets a slot. The task receives a database that sends statements in this slot, one after
   * another, until the deadline, which includes the wait for the slot; those that it is given after the task has ended
   * fail. Rejects with a DatabaseFailure, or as the task does. The task must not use another Database, which could wait
   * for this very slot.
   */
  async withSlot<T>(name: string, task: (database: Database) => Promise<T>): Promise<T> {
    await this.#entrance.ready?.();
    const end = this.#end();
    return this.#runInSlot(task, await this.#enter(name), end);
  }

  // A function of its own, so that a call that has waited for a slot does not keep rows alive.
  async #runInSlot<T>(task: (database: Database) => Promise<T>, leave: Leave, deadline: number): Promise<T> {
    const inside = new Bulkhead(1);
    const enter: Entrance['enter'] = (onTimeout) => inside.enter('inSlot', this.deadlineMs, onTimeout);
    try {
      return await task(this.#view({ holder: this.#entrance.holder, enter, end: deadline }));
    } finally {
      // A statement that was given up may still wait for a connection, or for its end. It keeps the slot until then.
      inside.enter('end', LONGEST_TIMER_MS, () => noFreeSlot('end')).then(leave, leave);
    }
  }

  /**
   * Runs several statements in one transaction, again from the start after a conflict with another transaction. Rejects
   * with a DatabaseFailure, or with the InvalidInput that the task threw. After the deadline, the transaction is
   * committed only if COMMIT was already sent.
   */
  async transaction<T>(
    name: string,
    task: (session: Session) => Promise<T>,
    lockWait?: LockWait,
  ): Promise<T> {
    await this.#entrance.ready?.();
    const attempt = (session: Session, refuseLate: () => void, conflict?: DatabaseFailure) =>
      session.transaction(async () => {
        const result = await task(session);
        refuseLate();
        return result;
      }, conflict);
    return this.#inTime(name, attempt, lockWait);
  }

  /** Runs the task while no other process runs one under the same lock. It may have to wait. */
  async locked<T>(name: string, lock: string, task: (session: Session) => Promise<T>): Promise<T> {
    return retryConflicts(this.dialect.isConflict, performance.now() + LOCK_PATIENCE_MS, () =>
      this.#inSession(name, { deadlineMs: this.deadlineMs }, (session) =>
        this.dialect.withLock(session, lock, () => task(session)),
      ),
    );
  }

  /**
   * Opens a series of reads of the current snapshot. If the pool has fewer than four connections, or on SQLite without
   * WAL, where a snapshot blocks all writers, each statement reads the then current data instead. Rejects with a
   * DatabaseFailure.
   */
  async openReading(name: string): Promise<ReadSeries> {
    if (!this.#slots.lendsForLong) return this.#readApart();
    const opening = retryConflicts(this.dialect.isConflict, this.#end(), () => this.#openReading(name));
    const late = () => new DatabaseFailure(name, 'DEADLINE');
    return withTimeout(opening, this.deadlineMs, late).catch((error) => {
      opening.then((reading) => reading.close()).catch(() => undefined);
      throw error;
    });
  }

  async #openReading(name: string): Promise<ReadSeries> {
    const undo: (() => unknown)[] = [];
    const close = async () => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
      undo.push(await this.#slots.readLong(this.#entrance.holder, () => noFreeSlot(name)));
      const session = await Session.acquire(this.knex, this.dialect, { deadlineMs: this.deadlineMs });
      undo.push(
        () => session.release(),
        () => session.rollBack(),
      );
      const run = await session.beginReading();
      if (run) return { run, isSnapshot: true, close };
      await close();
      return this.#readApart();
    } catch (error) {
      await close();
      throw DatabaseFailure.from(name, error);
    }
  }

  #readApart(): ReadSeries {
    return { run: this.run, isSnapshot: false, close: async () => {} };
  }

  #inTime<T>(
    name: string,
    task: (session: Session, refuseLate: () => void, conflict?: DatabaseFailure) => Promise<T>,
    { repeats }: Pick<LockWait, 'repeats'> = { repeats: true },
  ): Promise<T> {
    const { deadlineMs, dialect } = this;
    const end = this.#end();
    const isConflict = (failure: DatabaseFailure) =>
      dialect.isConflict(failure) && (repeats || !dialect.isRowLocked(failure));
    // Created only when it is thrown: its stack costs more than the rest of a statement's bookkeeping.
    const deadline = () => new DatabaseFailure(name, 'DEADLINE');
    const outcome = retryConflicts(isConflict, end, (conflict) => {
      const refuseLate = () => {
        if (performance.now() >= end) throw conflict ?? deadline();
      };
      return this.#inSession(name, { deadlineMs, end }, (session) => task(session, refuseLate, conflict));
    });
    return withTimeout(outcome, Math.max(1, end - performance.now()), deadline);
  }

  async #inSession<T>(name: string, patience: Patience, task: (session: Session) => Promise<T>): Promise<T> {
    const leave = await this.#enter(name);
    try {
      const session = await Session.acquire(this.knex, this.dialect, patience);
      try {
        return await task(session);
      } finally {
        await session.release();
      }
    } catch (error) {
      // A task that refuses its input is no database failure.
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
    return Math.min(performance.now() + this.deadlineMs, this.#entrance.end ?? Infinity);
  }
}

function noFreeSlot(name: string): DatabaseFailure {
  return new DatabaseFailure(name, 'POOL_SHARE_TAKEN');
}
