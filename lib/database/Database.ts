import type { Knex } from 'knex';
import type { Clock } from '../async/Clock';
import { withTimeout } from '../async/withTimeout';
import { ConnectionSlots, type Holder, type Leave, PoolShare } from './ConnectionSlots';
import { DatabaseFailure, integerIn } from './DatabaseFailure';
import { LOCK_PATIENCE_MS } from './Dialect';
import { type Handles, handlesOf } from './handles';
import { retryConflicts } from './retryConflicts';
import { noFreeSlot, Sender } from './Sender';
import { Session } from './Session';
import { Slot } from './Slot';
import type { Run } from './Statement';

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

/** What the views of one database differ in. */
interface View {
  /** Who holds the slots for reads; null for the module's own statements, which use slots of their own. */
  readonly holder: Holder | null;
  /** The token that asks for the reads, if others share what is read. */
  readonly tokenId?: number | undefined;
  /** What each statement waits for before its deadline begins, and before it takes a slot: migrations need one too. */
  readonly ready?: () => Promise<void>;
}

/**
 * The panel's database as the module uses it: at most half of the panel's connection pool, no statement that runs on
 * after the deadline, and no failure that contains more than a code.
 */
export class Database extends Sender {
  readonly #slots: ConnectionSlots;
  readonly #view: View;

  private constructor(handles: Handles, deadlineMs: number, slots: ConnectionSlots, view: View) {
    super(handles, deadlineMs);
    this.#slots = slots;
    this.#view = view;
  }

  /** Returns the database of a panel's handle, for the module's own statements. */
  static of(panel: Knex, deadlineMs: number, clock?: Clock): Database {
    const slots = new ConnectionSlots(PoolShare.of(panel, clock), deadlineMs, clock);
    return new Database(handlesOf(panel, clock), deadlineMs, slots, { holder: null });
  }

  /**
   * Returns the same database for reads of the panel's data, in the slots of this holder. `tokenId` is the token that asks
   * for them, if others share what is read.
   */
  inSlotsOf(holder: Holder, tokenId?: number): Database {
    return new Database(this, this.deadlineMs, this.#slots, { ...this.#view, holder, tokenId });
  }

  /** Returns the same database, whose statements wait until `ready` resolves, except in `locked` and `openSnapshot`. */
  after(ready: () => Promise<void>): Database {
    return new Database(this, this.deadlineMs, this.#slots, { ...this.#view, ready });
  }

  /** Returns the same database with another time limit. */
  within(deadlineMs: number): Database {
    return new Database(this, deadlineMs, this.#slots, this.#view);
  }

  /** Returns the time by the database's clock, in whole seconds since 1970. */
  async clock(): Promise<number> {
    const [row] = await this.rows('clock', `SELECT ${this.dialect.now} AS clock`);
    return integerIn('clock', row?.clock);
  }

  /**
   * Runs a task when it gets a slot. The task sends its statements in this slot, one after another, until the deadline,
   * which includes the wait for the slot; those that it is given after the task has ended fail. Rejects with a
   * DatabaseFailure, or as the task does. The task must not use another Database, which could wait for this very slot.
   */
  async withSlot<T>(name: string, task: (slot: Slot) => Promise<T>): Promise<T> {
    await this.ready();
    const slot = new Slot(this, this.deadlineMs, this.end());
    return this.#runInSlot(slot, task, await this.enter(() => noFreeSlot(name)));
  }

  // A function of its own, so that a call that has waited for a slot does not keep rows alive.
  async #runInSlot<T>(slot: Slot, task: (slot: Slot) => Promise<T>, leave: Leave): Promise<T> {
    try {
      return await task(slot);
    } finally {
      slot.close(leave);
    }
  }

  /** Runs the task while no other process runs one under the same lock. It may have to wait. */
  async locked<T>(name: string, lock: string, task: (session: Session) => Promise<T>): Promise<T> {
    return retryConflicts(this.dialect.isConflict, this.processClock.now() + LOCK_PATIENCE_MS, () =>
      this.inSession(name, (session) => this.dialect.withLock(session, lock, () => task(session))),
    );
  }

  /**
   * Opens a series of reads of the current snapshot. If the pool has fewer than four connections, or on SQLite without
   * WAL, where a snapshot blocks all writers, each statement reads the then current data instead. Rejects with a
   * DatabaseFailure.
   */
  async openSnapshot(name: string): Promise<ReadSeries> {
    if (!this.#slots.lendsForLong) return this.#readApart();
    const opening = retryConflicts(this.dialect.isConflict, this.end(), () => this.#openSnapshot(name));
    const late = () => new DatabaseFailure(name, 'DEADLINE');
    return withTimeout(opening, this.deadlineMs, late).catch((error) => {
      opening.then((series) => series.close()).catch(() => undefined);
      throw error;
    });
  }

  async #openSnapshot(name: string): Promise<ReadSeries> {
    const undo: (() => unknown)[] = [];
    const close = async () => {
      for (const step of undo.splice(0).reverse()) await step();
    };
    try {
      undo.push(await this.#slots.forLongRead(this.#view.holder ?? 'module', () => noFreeSlot(name)));
      const session = await Session.acquire(this);
      undo.push(
        () => session.release(),
        () => session.rollBack(),
      );
      const run = await session.beginSnapshot();
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

  protected enter(onTimeout: () => Error): Promise<Leave> {
    const { holder, tokenId } = this.#view;
    return holder === null
      ? this.#slots.forModule(onTimeout)
      : this.#slots.forRead(holder, onTimeout, tokenId);
  }

  protected end(): number {
    return this.processClock.now() + this.deadlineMs;
  }

  protected ready(): Promise<void> | undefined {
    return this.#view.ready?.();
  }
}
