import { Bulkhead, type Holder, type Leave } from './Bulkhead';

/**
 * The module's places at the panel's database: half of the panel's connection pool, and at least one. Reads of the
 * panel's data leave one of them free for the module's own statements where there are three or more, and wait in turn
 * with those where there are fewer. Long lists have at most half of the places. One token has at most half of the places
 * for reads, and at most half of those for long lists, so that others find the rest; each of these is at least one.
 */
export class Places {
  readonly #all: Bulkhead;
  readonly #reads: Bulkhead;
  readonly #longReads: Bulkhead | null;

  /**
   * `patienceMs` is how long each wait for a place lasts at most. A read waits for half of that: one that got its place
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

  /** Whether there is a place to lend for as long as a client takes to read a list. */
  get lendsForLong(): boolean {
    return this.#longReads !== null;
  }

  /** For a statement of the module's own, which waits for no more than one read. Rejects like all three as `tired` says. */
  own(tired: () => Error): Promise<Leave> {
    return this.#all.enter('own', tired);
  }

  /** For a read of the panel's data. */
  read(holder: Holder, tired: () => Error): Promise<Leave> {
    return both(
      () => this.#reads.enter(holder, tired),
      () => this.#all.enter('reads', tired),
    );
  }

  /** For a long list; only if `lendsForLong`. */
  readLong(holder: Holder, tired: () => Error): Promise<Leave> {
    return both(
      async () => this.#longReads?.enter(holder, tired),
      // A token that reads a long list may read others meanwhile.
      () => this.read(`long:${holder}`, tired),
    );
  }
}

function atLeastOne(places: number): number {
  return Math.max(1, Math.floor(places));
}

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
