import type { Knex } from 'knex';
import type { Clock } from '../async/Clock';
import { withTimeout } from '../async/withTimeout';
import { InvalidInput } from '../errors/InvalidInput';
import type { Leave } from './ConnectionSlots';
import { DatabaseFailure } from './DatabaseFailure';
import type { Dialect } from './Dialect';
import type { Handles } from './handles';
import { retryConflicts } from './retryConflicts';
import { Session } from './Session';
import { type Rows, type Run, type Statement, statementOf } from './Statement';

/**
 * How many seconds a statement waits for a row that another transaction has locked. One that waits for none is repeated
 * until the deadline while the row is locked.
 */
export type LockWait = 0 | 1;

type Attempt<T> = (session: Session, refuseLate: () => void, conflict?: DatabaseFailure) => Promise<T>;

/** Sends statements, each in a slot of the module's share of the connections, and none beyond its deadline. */
export abstract class Sender {
  /** For the module's own statements. */
  readonly knex: Knex;
  /** For the panel's queries. */
  readonly panelKnex: Knex;
  readonly dialect: Dialect;
  readonly processClock: Clock;
  /** The time limit of one query. */
  readonly deadlineMs: number;

  constructor({ dialect, knex, panelKnex, processClock }: Handles, deadlineMs: number) {
    this.dialect = dialect;
    this.knex = knex;
    this.panelKnex = panelKnex;
    this.processClock = processClock;
    this.deadlineMs = deadlineMs;
  }

  /** Waits for a slot for one statement or transaction. Rejects with `onTimeout()` if none is free in time. */
  protected abstract enter(onTimeout: () => Error): Promise<Leave>;

  /** When a statement that is asked for now must have ended, by the clock. */
  protected abstract end(): number;

  /** Resolves when the tables may be used. */
  protected abstract ready(): Promise<void> | undefined;

  /**
   * Runs one statement under a name for the log. Rejects with a DatabaseFailure. At the deadline the server ends it, and
   * until then it keeps its slot.
   */
  async query<T>(name: string, statement: (knex: Knex) => Statement<T>, lockWait?: LockWait): Promise<T> {
    await this.ready();
    const attempt: Attempt<T> = (session, refuseLate) => {
      // knex's own timeout does not cover the wait for a connection.
      refuseLate();
      return session.run(statement);
    };
    return this.#inTime(name, attempt, lockWait);
  }

  /** `query`, as a function. */
  readonly run: Run = (name, statement) => this.query(name, statement);

  /** Runs one raw statement like `query`, and returns its rows. */
  async rows(name: string, sql: string, bindings: readonly Knex.RawBinding[] = []): Promise<Rows> {
    return this.dialect.rows(await this.query(name, (knex) => statementOf(knex, sql, bindings)));
  }

  /**
   * Runs several statements in one transaction, again from the start after a conflict with another transaction. Rejects
   * with a DatabaseFailure, or with the InvalidInput that the task threw. After the deadline, the transaction is
   * committed only if COMMIT was already sent.
   */
  async transaction<T>(name: string, task: (session: Session) => Promise<T>, lockWait?: LockWait) {
    await this.ready();
    const attempt: Attempt<T> = (session, refuseLate, conflict) =>
      session.transaction(async () => {
        const result = await task(session);
        refuseLate();
        return result;
      }, conflict);
    return this.#inTime(name, attempt, lockWait);
  }

  #inTime<T>(name: string, task: Attempt<T>, lockWait: LockWait = 0) {
    const { dialect, processClock: clock } = this;
    const end = this.end();
    const isConflict = (failure: DatabaseFailure) =>
      dialect.isConflict(failure) && (lockWait === 0 || !dialect.isRowLocked(failure));
    // Created only when it is thrown: its stack costs more than the rest of a statement's bookkeeping.
    const deadline = () => new DatabaseFailure(name, 'DEADLINE');
    const attempt = (conflict?: DatabaseFailure) => {
      const refuseLate = () => {
        if (clock.now() >= end) throw conflict ?? deadline();
      };
      return this.inSession(name, (session) => task(session, refuseLate, conflict), end);
    };
    const outcome = retryConflicts(isConflict, end, attempt, clock);
    return withTimeout(outcome, Math.max(1, end - clock.now()), deadline, clock);
  }

  protected async inSession<T>(name: string, task: (session: Session) => Promise<T>, end?: number) {
    const leave = await this.enter(() => noFreeSlot(name));
    try {
      const session = await Session.acquire(this, end);
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
}

export function noFreeSlot(name: string): DatabaseFailure {
  return new DatabaseFailure(name, 'POOL_SHARE_TAKEN');
}
