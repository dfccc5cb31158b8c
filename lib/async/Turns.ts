/** Runs tasks one after another, so that those that wait hold nothing. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #begun = new Map<string, number>();

  /** Runs a task when all before it have ended, with what is left of the patience. Rejects with `onLate()` if nothing is. */
  take<T>(task: (leftMs: number) => Promise<T>, patienceMs: number, onLate: () => Error): Promise<T> {
    const end = performance.now() + patienceMs;
    const turn = this.#last.then(() => {
      const leftMs = end - performance.now();
      if (leftMs <= 0) throw onLate();
      return task(leftMs);
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Runs a task at once. Rejects with `onMany()` if `most` tasks of this key have begun and not ended. */
  async among<T>(key: string, most: number, task: () => Promise<T>, onMany: () => Error): Promise<T> {
    const begun = this.#begun.get(key) ?? 0;
    if (begun >= most) throw onMany();
    this.#begun.set(key, begun + 1);
    try {
      return await task();
    } finally {
      const left = (this.#begun.get(key) ?? 1) - 1;
      if (left > 0) this.#begun.set(key, left);
      else this.#begun.delete(key);
    }
  }
}
