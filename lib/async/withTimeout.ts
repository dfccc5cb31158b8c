import { setImmediate } from 'node:timers/promises';

/**
 * The promise's outcome, or a rejection with what `late` makes when it is not settled after `milliseconds`. What the
 * promise waits for goes on; the timer keeps no process alive.
 */
export function withTimeout<T>(promise: Promise<T>, milliseconds: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The promise's outcome, or a rejection with the signal's reason as soon as that is aborted. */
export async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

/** Resolves once everything else that is due had its turn. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
}
