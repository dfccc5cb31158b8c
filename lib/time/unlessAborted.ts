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
