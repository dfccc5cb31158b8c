import { type Clock, realClock } from './Clock';

/** The deadline of a request passed before its answer was complete. */
export class Deadline extends Error {
  override readonly name = 'Deadline';
}

/**
 * Settles like the promise, or rejects with `onTimeout()`, by default a Deadline, if it is not settled after
 * `milliseconds`. The work behind the promise continues. The timer does not keep the process alive.
 */
export function withTimeout<T>(
  promise: Promise<T>,
  milliseconds: number,
  onTimeout: () => Error = () => new Deadline(),
  clock: Clock = realClock,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(onTimeout()));
    promise.then(resolve, reject).finally(cancel);
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
