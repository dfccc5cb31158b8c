import { Batcher } from '../batching/Batcher';
import { REQUEST_OVER } from '../errors/RequestOver';
import { RequestEnd } from '../operations/RequestEnd';

interface Asked<T> {
  /** Reads for one of those who ask, until that one's end. */
  readonly read: (end: RequestEnd) => Promise<T>;
  readonly end: RequestEnd;
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
  if (others.length === 0) return [await first.read(first.end)];
  const nobodyWaits = new RequestEnd();
  let waiting = batch.length;
  for (const { end } of batch) {
    end.whenOver(() => {
      waiting -= 1;
      if (waiting === 0) nobodyWaits.come(REQUEST_OVER);
    });
  }
  const answer = await first.read(nobodyWaits);
  return batch.map(() => answer);
}
