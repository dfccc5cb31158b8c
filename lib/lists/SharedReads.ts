import { Batcher } from '../async/Batcher';
import type { Database } from '../database/Database';
import { REQUEST_OVER } from '../errors/RequestOver';
import { RequestEnd } from '../operations/RequestEnd';

interface Asked<T> {
  /** The id of the token that asks. */
  readonly tokenId: number;
  /** Reads for one of those who ask, until that one's end. */
  readonly read: (end: RequestEnd, database: Database) => Promise<T>;
  readonly end: RequestEnd;
  /** Waits for the place in which it is to be read. */
  readonly enter: (read: (database: Database) => Promise<void>) => Promise<void>;
}

/**
 * Lets those who ask for the very same at the same time share one read, which starts after all of them have asked:
 * nobody is given what was read before.
 */
export class SharedReads<T> {
  readonly #byKey = new Map<string, Batcher<Asked<T>, T, Database>>();

  /** `key` says all that the read depends on. Rejects as the read does. */
  async read(key: string, asked: Asked<T>): Promise<T> {
    let batcher = this.#byKey.get(key);
    if (!batcher) {
      batcher = new Batcher<Asked<T>, T, Database>(readOnce, {
        most: Infinity,
        // A token may not have to wait for the place of another that asks for the same.
        nameOf: ({ tokenId }) => tokenId,
        enter: ({ enter }, batch) => enter(batch),
      });
      this.#byKey.set(key, batcher);
    }
    try {
      return await batcher.ask(asked);
    } finally {
      if (batcher.idle && this.#byKey.get(key) === batcher) this.#byKey.delete(key);
    }
  }
}

async function readOnce<T>(batch: readonly Asked<T>[], database: Database): Promise<readonly T[]> {
  const [first, ...others] = batch;
  if (!first) return [];
  if (others.length === 0) return [await first.read(first.end, database)];
  const nobodyWaits = new RequestEnd();
  let waiting = batch.length;
  for (const { end } of batch) {
    end.whenOver(() => {
      waiting -= 1;
      if (waiting === 0) nobodyWaits.come(REQUEST_OVER);
    });
  }
  const answer = await first.read(nobodyWaits, database);
  return batch.map(() => answer);
}
