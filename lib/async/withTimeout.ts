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
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
