import { nextTurn } from '../time/nextTurn';

/** Who holds a place: a token's id, or the name of a part of the module. */
export type Holder = number | string;

/** Gives a place back. Does nothing the second time. */
export type Leave = () => void;

/**
 * Lets no more than `places` tasks run at once, and no more than `mostEach` of one holder. The others wait, each for at
 * most `patienceMs`: holders take turns, and the tasks of one holder go in the order in which they came.
 */
export class Bulkhead {
  readonly #patienceMs: number;
  readonly #mostEach: number;
  /** How many places each holder has. */
  readonly #held = new Map<Holder, number>();
  /** Those that wait, by holder. The holder whose turn is next comes first. */
  readonly #waiting = new Map<Holder, Set<() => void>>();
  #free: number;

  constructor(places: number, patienceMs: number, mostEach = places) {
    this.#free = places;
    this.#patienceMs = patienceMs;
    this.#mostEach = mostEach;
  }

  /** Takes a place until the returned function is called. Rejects with the result of `tired` if none came free in time. */
  async enter(holder: Holder, tired: () => Error): Promise<Leave> {
    if (this.#mayEnter(holder)) this.#hold(holder, 1);
    else {
      await this.#turn(holder, tired);
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

  /** Gives the place that came free to the first holder that may have it, whose next turn then comes last. */
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

  #turn(holder: Holder, tired: () => Error): Promise<void> {
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
        reject(tired());
      }, this.#patienceMs).unref();
      queue.add(admit);
    });
  }
}
