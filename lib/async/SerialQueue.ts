/** Runs tasks one after another, in the order in which they came. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** The outcome of the task, which begins when every earlier one is over. */
  take<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.#last.then(task);
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }
}
