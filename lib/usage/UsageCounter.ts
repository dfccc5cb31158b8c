import type { UsageCount, UsageKey } from './UsageCount';

/** Counts in the memory of this process, each under its key. */
export class UsageCounter {
  readonly #counts = new Map<string, { readonly key: UsageKey; requests: number }>();

  /** How many keys have a count. */
  get size(): number {
    return this.#counts.size;
  }

  add(key: UsageKey, requests = 1): void {
    const name = `${key.tokenId} ${key.day} ${key.endpoint} ${key.statusClass}`;
    const count = this.#counts.get(name);
    if (count) count.requests += requests;
    else this.#counts.set(name, { key, requests });
  }

  /** Takes out the counts of so many keys at most, the first ones first. */
  take(most: number): readonly UsageCount[] {
    const taken: UsageCount[] = [];
    for (const [name, { key, requests }] of this.#counts) {
      if (taken.length === most) break;
      this.#counts.delete(name);
      taken.push({ ...key, requests });
    }
    return taken;
  }

  /** What is counted at this moment. */
  counts(): readonly UsageCount[] {
    return [...this.#counts.values()].map(({ key, requests }) => ({ ...key, requests }));
  }
}
