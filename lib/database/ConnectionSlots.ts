import type { Knex } from 'knex';
import { type Clock, realClock } from '../async/Clock';

/**
 * The module's share of a pool: half of its connections, at least one. With three or more, one is reserved for the
 * module's own statements; with fewer, these take turns with reads of the panel's data. Long lists may use half of the
 * slots. One token may use half of the slots for reads, and half of those for long lists, so that others are not blocked.
 * Each share is at least one.
 */
export class PoolShare {
  readonly all: Bulkhead;
  readonly reads: Bulkhead;
  readonly longReads: Bulkhead | null;
  /** The number of users of this share so far: tokens of two mounts may have the same id. */
  users = 0;

  constructor(poolSize: number, clock: Clock = realClock) {
    const all = atLeastOne(poolSize / 2);
    const reads = all > 2 ? all - 1 : all;
    const long = Math.floor(all / 2);
    this.all = new Bulkhead(all, all, clock);
    this.reads = new Bulkhead(reads, atLeastOne(reads / 2), clock);
    this.longReads = long > 0 ? new Bulkhead(long, atLeastOne(long / 2), clock) : null;
  }

  /** Returns the share of a handle's pool, which all mounts on this pool have together. */
  static of({ client }: Knex, clock?: Clock): PoolShare {
    const pool: { max?: number; [SHARE]?: PoolShare } = client.pool ?? client;
    if (!pool[SHARE]) Object.defineProperty(pool, SHARE, { value: new PoolShare(pool.max ?? 2, clock) });
    return pool[SHARE] as PoolShare;
  }
}

const SHARE = Symbol("koa-panel-api's share");

/** The most reads that are under way for one token, if others share what is read: so none waits for many of another's. */
const MOST_SHARED = 2;

/** The slots at a database: how one mount uses the share of its pool. All methods reject with `onTimeout()`. */
export class ConnectionSlots {
  readonly #share: PoolShare;
  readonly #user: number;
  readonly #patienceMs: number;
  readonly #turns: Bulkhead;

  /**
   * `patienceMs` is the maximum wait for a slot. Reads wait for half of that: with a later slot they would exceed their
   * deadline, and delay the next read in vain.
   */
  constructor(share: PoolShare, patienceMs: number, clock?: Clock) {
    share.users += 1;
    this.#share = share;
    this.#user = share.users;
    this.#patienceMs = patienceMs;
    this.#turns = new Bulkhead(Infinity, MOST_SHARED, clock);
  }

  /** Whether a slot may be used for as long as a client takes to read a list. */
  get lendsForLong(): boolean {
    return this.#share.longReads !== null;
  }

  /** For one of the module's own statements, which waits for at most one read. */
  forModule(onTimeout: () => Error): Promise<Leave> {
    return this.#share.all.enter('module', this.#patienceMs, onTimeout);
  }

  /** For a read of the panel's data. With a token, after its turn among the reads that others share with it. */
  forRead(holder: Holder, onTimeout: () => Error, tokenId?: number): Promise<Leave> {
    const { all, reads } = this.#share;
    const read = () =>
      both(
        () => reads.enter(`${this.#user} ${holder}`, this.#patienceMs / 2, onTimeout),
        () => all.enter('reads', this.#patienceMs, onTimeout),
      );
    if (tokenId === undefined) return read();
    return both(() => this.#turns.enter(tokenId, this.#patienceMs, onTimeout), read);
  }

  /** For a long list. Only if `lendsForLong`. A token that reads one may read others at the same time. */
  forLongRead(holder: Holder, onTimeout: () => Error): Promise<Leave> {
    return both(
      async () => this.#share.longReads?.enter(`${this.#user} ${holder}`, this.#patienceMs, onTimeout),
      () => this.forRead(`long:${holder}`, onTimeout),
    );
  }
}

function atLeastOne(slots: number): number {
  return Math.max(1, Math.floor(slots));
}

/** Who uses a slot: a token's id, or the name of a part of the module. */
export type Holder = number | string;

/** Releases a slot. Further calls do nothing. */
export type Leave = () => void;

/** Takes two slots, one after the other, and releases both together. */
async function both(first: () => Promise<Leave | undefined>, second: () => Promise<Leave>): Promise<Leave> {
  const leaveFirst = await first();
  try {
    const leaveSecond = await second();
    return () => {
      leaveSecond();
      leaveFirst?.();
    };
  } catch (error) {
    leaveFirst?.();
    throw error;
  }
}

/**
 * Runs at most `slots` tasks at once, and at most `mostEach` of one holder. Of the others, holders take turns, and
 * the tasks of one holder run in order of arrival.
 */
export class Bulkhead {
  readonly #mostEach: number;
  readonly #clock: Clock;
  /** The number of slots of each holder. */
  readonly #taken = new Map<Holder, number>();
  /** The waiting tasks by holder, in the order of the holders' turns. */
  readonly #waiting = new Map<Holder, Set<() => void>>();
  #free: number;

  constructor(slots: number, mostEach = slots, clock: Clock = realClock) {
    this.#free = slots;
    this.#mostEach = mostEach;
    this.#clock = clock;
  }

  /** Takes a slot until the returned function is called. Rejects with `onTimeout()` if none is free in time. */
  async enter(holder: Holder, patienceMs: number, onTimeout: () => Error): Promise<Leave> {
    if (this.#mayEnter(holder)) this.#hold(holder, 1);
    else {
      await this.#turn(holder, patienceMs, onTimeout);
      // SQLite runs statements in the event loop, so other work gets its turn between two of them.
      await this.#clock.turn();
    }
    let entered = true;
    return () => {
      if (!entered) return;
      entered = false;
      this.#hold(holder, -1);
      this.#admitNext();
    };
  }

  #mayEnter(holder: Holder): boolean {
    return this.#free > 0 && (this.#taken.get(holder) ?? 0) < this.#mostEach;
  }

  #hold(holder: Holder, change: 1 | -1): void {
    this.#free -= change;
    const taken = (this.#taken.get(holder) ?? 0) + change;
    if (taken > 0) this.#taken.set(holder, taken);
    else this.#taken.delete(holder);
  }

  /** Gives a free slot to the first holder that may have it, and moves that holder to the end. */
  #admitNext(): void {
    for (const [holder, queue] of this.#waiting) {
      const [admit] = queue;
      if (!admit || !this.#mayEnter(holder)) continue;
      this.#hold(holder, 1);
      admit();
      if (this.#waiting.delete(holder) && queue.size > 0) this.#waiting.set(holder, queue);
      return;
    }
  }

  #turn(holder: Holder, patienceMs: number, onTimeout: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(holder) ?? new Set();
      this.#waiting.set(holder, queue);
      const leaveQueue = () => {
        cancel();
        queue.delete(admit);
      };
      const admit = () => {
        leaveQueue();
        resolve();
      };
      const cancel = this.#clock.after(patienceMs, () => {
        leaveQueue();
        if (queue.size === 0 && this.#waiting.get(holder) === queue) this.#waiting.delete(holder);
        reject(onTimeout());
      });
      queue.add(admit);
    });
  }
}
