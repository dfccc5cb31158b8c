import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * The module's slots at the panel's database: half of the panel's connection pool, and at least one. If there are three
 * or more, reads of the panel's data leave one of them free for the module's own statements; else they wait in turn with
 * those. Long lists have at most half of the slots. One token has at most half of the slots for reads, and at most half
 * of those for long lists, so that others find the rest; each of these is at least one.
 */
export class ConnectionSlots {
  readonly #all: Bulkhead;
  readonly #reads: Bulkhead;
  readonly #longReads: Bulkhead | null;

  /**
   * `patienceMs` is how long each wait for a slot lasts at most. A read waits for half of that: one that got its slot
   * later would end too late for its request, and keep the next one waiting in vain.
   */
  constructor(poolSize: number, patienceMs: number) {
    const all = atLeastOne(poolSize / 2);
    const reads = all > 2 ? all - 1 : all;
    const long = Math.floor(all / 2);
    this.#all = new Bulkhead(all, patienceMs);
    this.#reads = new Bulkhead(reads, patienceMs / 2, atLeastOne(reads / 2));
    this.#longReads = long > 0 ? new Bulkhead(long, patienceMs, atLeastOne(long / 2)) : null;
  }

  /** Whether there is a slot to lend for as long as a client takes to read a list. */
  get lendsForLong(): boolean {
    return this.#longReads !== null;
  }

  /** For a statement of the module's own, which waits for no more than one read. All three reject with `onTimeout()`. */
  own(onTimeout: () => Error): Promise<Leave> {
    return this.#all.enter('own', onTimeout);
  }

  /** For a read of the panel's data. */
  read(holder: Holder, onTimeout: () => Error): Promise<Leave> {
    return both(
      () => this.#reads.enter(holder, onTimeout),
      () => this.#all.enter('reads', onTimeout),
    );
  }

  /** For a long list; only if `lendsForLong`. */
  readLong(holder: Holder, onTimeout: () => Error): Promise<Leave> {
    return both(
      async () => this.#longReads?.enter(holder, onTimeout),
      // A token that reads a long list may read others meanwhile.
      () => this.read(`long:${holder}`, onTimeout),
    );
  }
}

function atLeastOne(slots: number): number {
  return Math.max(1, Math.floor(slots));
}

/** Who holds a slot: a token's id, or the name of a part of the module. */
export type Holder = number | string;

/** Frees a slot. Does nothing the second time. */
export type Leave = () => void;

/** Takes a slot, then another, and frees both together. */
export async function both(
  first: () => Promise<Leave | undefined>,
  second: () => Promise<Leave>,
): Promise<Leave> {
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
 * Lets no more than `slots` tasks run at once, and no more than `mostEach` of one holder. The others wait, each for at
 * most `patienceMs`: holders take turns, and the tasks of one holder run in the order of their arrival.
 */
export class Bulkhead {
  readonly #patienceMs: number;
  readonly #mostEach: number;
  /** How many slots each holder has. */
  readonly #held = new Map<Holder, number>();
  /** The waiting tasks, by holder. The holder whose turn is next is first. */
  readonly #waiting = new Map<Holder, Set<() => void>>();
  #free: number;

  constructor(slots: number, patienceMs: number, mostEach = slots) {
    this.#free = slots;
    this.#patienceMs = patienceMs;
    this.#mostEach = mostEach;
  }

  /** Takes a slot until the returned function is called. Rejects with `onTimeout()` if none became free in time. */
  async enter(holder: Holder, onTimeout: () => Error): Promise<Leave> {
    if (this.#mayEnter(holder)) this.#hold(holder, 1);
    else {
      await this.#turn(holder, onTimeout);
      // SQLite runs statements in the event loop: everything else has its turn between two of them.
      await nextTurn();
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
    return this.#free > 0 && (this.#held.get(holder) ?? 0) < this.#mostEach;
  }

  #hold(holder: Holder, change: 1 | -1): void {
    this.#free -= change;
    const held = (this.#held.get(holder) ?? 0) + change;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }

  /** Assigns a free slot to the first holder that may have it, and moves that holder to the end. */
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

  #turn(holder: Holder, onTimeout: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(holder) ?? new Set();
      this.#waiting.set(holder, queue);
      const leaveQueue = () => {
        clearTimeout(timer);
        queue.delete(admit);
      };
      const admit = () => {
        leaveQueue();
        resolve();
      };
      const timer = setTimeout(() => {
        leaveQueue();
        if (queue.size === 0 && this.#waiting.get(holder) === queue) this.#waiting.delete(holder);
        reject(onTimeout());
      }, this.#patienceMs).unref();
      queue.add(admit);
    });
  }
}
