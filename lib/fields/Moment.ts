/** Of more values than this none is likely to come again before it is forgotten. */
const MOST_VALUES = 4096;

/** The moment at which the rows of one answer are read: what is worked out from them belongs to it alone. */
export interface Moment {
  readonly now: Date;
  /** What `make` gives, worked out once for all rows that ask for it by the same key. */
  once<T>(key: string, make: () => T): T;
  /** What `make` gives, kept until another key is asked for: for fields of the same row. */
  latest<T>(key: unknown, make: () => T): T;
}

/** The present moment. */
export function presentMoment(now = new Date()): Moment {
  const made = new Map<string, unknown>();
  let latest: { readonly key: unknown; readonly value: unknown } | undefined;
  return {
    now,
    once<T>(key: string, make: () => T): T {
      if (made.has(key)) return made.get(key) as T;
      if (made.size >= MOST_VALUES) made.clear();
      const value = make();
      made.set(key, value);
      return value;
    },
    latest<T>(key: unknown, make: () => T): T {
      if (latest === undefined || latest.key !== key) latest = { key, value: make() };
      return latest.value as T;
    },
  };
}
