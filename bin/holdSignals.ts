const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs a task that a signal must not cut in two. */
export async function holdSignals<T>(task: () => Promise<T>): Promise<T> {
  const hold = () => undefined;
  for (const signal of SIGNALS) process.on(signal, hold);
  try {
    return await task();
  } finally {
    for (const signal of SIGNALS) process.off(signal, hold);
  }
}
