import type { TokenRecord } from '../tokens/TokenRecord';

/** With so many tokens in mind, those whose windows are over are forgotten. */
const MANY = 1000;

/**
 * Which tokens have used up their limits, as far as this process has seen. It answers nobody: each request is counted
 * all the same, and this only says for whom nothing need be begun before.
 */
export class Exhausted {
  readonly #resetsAt = new Map<number, number>();

  /** Whether the token's window was seen full, and is not over by the database's clock. */
  has({ id, readAt }: Pick<TokenRecord, 'id' | 'readAt'>): boolean {
    return (this.#resetsAt.get(id) ?? 0) > readAt;
  }

  /** Keeps in mind how the token's window was found; `resetsAt` is when it ends, in seconds since 1970. */
  note({ id, readAt }: Pick<TokenRecord, 'id' | 'readAt'>, isFull: boolean, resetsAt: number): void {
    if (!isFull) {
      this.#resetsAt.delete(id);
      return;
    }
    if (this.#resetsAt.size >= MANY) this.#forget(readAt);
    this.#resetsAt.set(id, resetsAt);
  }

  #forget(now: number): void {
    for (const [id, resetsAt] of this.#resetsAt) {
      if (resetsAt <= now) this.#resetsAt.delete(id);
    }
  }
}
