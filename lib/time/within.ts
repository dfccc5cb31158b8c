/**
 * The promise's outcome, or a rejection with what `late` makes when it is not settled after `milliseconds`. What the
 * promise waits for goes on; the timer keeps no process alive.
 */
export function within<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
