import type { TokenRecord } from '../tokens/TokenRecord';

/** As many tokens are kept in mind at most. One that is forgotten costs a read for nothing, and no more. */
const MOST_TOKENS = 1000;

/**
 * Which requests may begin what they ask for while they are counted, because they are likely to be let through. It
 * lets nobody through: every request is counted, and answered only then.
 */
export class HeadStart {
  /** When the windows end that were seen full, in seconds since 1970, by the ids of their tokens. */
  readonly #full = new Map<number, number>();
  #underWay = 0;
  #fails = false;

  /** A request has come; it has left when the function that this gives is called. */
  enter(): () => void {
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }

  /**
   * Whether the request is alone in this process, so that it takes nothing from others, the token's window was not seen
   * full, and the store counts.
   */
  isFor({ id, readAt }: Pick<TokenRecord, 'id' | 'readAt'>): boolean {
    return this.#underWay === 1 && !this.#fails && (this.#full.get(id) ?? 0) <= readAt;
  }

  /** A request of the token was counted. */
  counted({ id }: Pick<TokenRecord, 'id'>, isFull: boolean, resetsAt: number): void {
    this.#fails = false;
    this.#full.delete(id);
    if (!isFull) return;
    const [oldest] = this.#full.keys();
    if (oldest !== undefined && this.#full.size >= MOST_TOKENS) this.#full.delete(oldest);
    this.#full.set(id, resetsAt);
  }

  /** A request could not be counted. */
  failed(): void {
    this.#fails = true;
  }
}
