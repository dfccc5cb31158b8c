import { Deadline } from './Cancellation';

/**
 * Settles like the promise, or rejects with `onTimeout()`, by default a Deadline, if it is not settled after
 * `milliseconds`. The work behind the promise continues. The timer does not keep the process alive.
 */
export function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  onTimeout: () => Error = () => new Deadline(),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onTimeout()), milliseconds).unref();
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Settles like the promise, or rejects with the signal's reason as soon as the signal is aborted. */
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
