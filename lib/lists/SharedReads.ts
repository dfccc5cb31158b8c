import { Batcher } from '../batching/Batcher';

/** Reads for one of those who ask; aborted when nobody waits for it any more. */
type Read<T> = (signal: AbortSignal) => Promise<T>;

interface Asked<T> {
  readonly read: Read<T>;
  /** Aborted when the one who asks waits no more. */
  readonly signal: AbortSignal;
}

/**
 * Lets those who ask for the very same at the same time share one read, which starts after all of them have asked:
 * nobody is given what was read before.
 */
export class SharedReads<T> {
  readonly #byKey = new Map<string, Batcher<Asked<T>, T>>();

  /** `key` says all that the read depends on. Rejects as the read does. */
  async read(key: string, asked: Asked<T>): Promise<T> {
    let batcher = this.#byKey.get(key);
    if (!batcher) {
      batcher = new Batcher(readOnce, { most: Infinity });
      this.#byKey.set(key, batcher);
    }
    try {
      return await batcher.ask(asked);
    } finally {
      if (batcher.idle && this.#byKey.get(key) === batcher) this.#byKey.delete(key);
    }
  }
}

async function readOnce<T>(batch: readonly Asked<T>[]): Promise<readonly T[]> {
  const [first, ...others] = batch;
  if (!first) return [];
  if (others.length === 0) return [await first.read(first.signal)];
  const nobodyWaits = new AbortController();
  let waiting = batch.length;
  const leave = () => {
    waiting -= 1;
    if (waiting === 0) nobodyWaits.abort(first.signal.reason);
  };
  for (const { signal } of batch) {
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }
  const answer = await first.read(nobodyWaits.signal);
  return batch.map(() => answer);
}
