/** What a copy knows of itself. */
export interface CopyMeta {
  /** The address of the list with its filters, so that the store does not become a copy of another one. */
  readonly source: string;
  /** The tag of the list; null if it has none, or while a run stores its changes. */
  readonly etag: string | null;
  /** When the request was sent whose answer the copy equals (RFC 3339); null while a run stores its changes. */
  readonly at: string | null;
  /** How many items the copy has. */
  readonly rows: number;
}

type Awaitable<T> = T | PromiseLike<T>;

/** Where a copy of a list is stored: items `T` by their keys `K`. */
export interface Store<K = unknown, T = unknown> {
  /** Returns the item as `put` received it; undefined or null if there is none. */
  get(key: K): Awaitable<T | null | undefined>;
  /** Stores the item in place of the one with the same key. */
  put(item: T, key: K): unknown;
  delete(key: K): unknown;
  /** Returns the keys of all items, of the same type as in the items. */
  keys(): Awaitable<Iterable<K> | AsyncIterable<K>>;
  /** Enough for a store in memory. Any other has `getMeta` and `putMeta`. */
  meta?: CopyMeta | null;
  getMeta?(): Awaitable<CopyMeta | null | undefined>;
  putMeta?(meta: CopyMeta): unknown;
  /**
   * Calls `work` and stores all that it changes, or nothing if it rejects. Without this method, the client holds all
   * changes in memory until it has read the list to its end.
   */
  transaction?<R>(work: () => Promise<R>): Promise<R>;
}

const SENTENCES = {
  COPY_BUSY: 'Another run is bringing this copy up to date.',
  COPY_FOREIGN:
    'The store is a copy of another list, filter, choice of fields or address of a panel, or has items that no run has stored. Use a new one.',
  COPY_DAMAGED: 'The copy is damaged: its parts contradict each other. Delete it, and sync fills a new one.',
} as const;

/** Returns the error of a store that cannot be brought up to date. */
export function storeError(code: keyof typeof SENTENCES): Error {
  return Object.assign(new Error(SENTENCES[code]), { code });
}
