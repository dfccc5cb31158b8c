/**
 * Lets no more than `places` tasks run at once and the rest wait their turn, each at most `patienceMs`.
 * It keeps the module from taking more than its share of the panel's connection pool.
 */
export class Bulkhead {
  readonly #patienceMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(places: number, patienceMs: number) {
    this.#free = places;
    this.#patienceMs = patienceMs;
  }

  /** Runs the task in a place of its own. Rejects with what `tired` makes when none came free in time. */
  async run<T>(task: () => Promise<T>, tired: () => Error): Promise<T> {
    const leave = await this.enter(tired);
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Takes a place until the function that it gives is called. Rejects like `run`. */
  async enter(tired: () => Error): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(tired);
    let entered = true;
    return () => {
      if (!entered) return;
      entered = false;
      const [next] = this.#waiting;
      if (next) next();
      else this.#free += 1;
    };
  }

  #turn(tired: () => Error): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(tired());
      }, this.#patienceMs);
      timer.unref();
      this.#waiting.add(take);
    });
  }
}
