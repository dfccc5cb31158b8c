import type { Counted, Hit, Limiter } from './Limiter';

/** The highest count that was returned for a token's window. */
interface Seen {
  readonly hits: number;
  readonly answeredMs: number;
  /** The window lasts at least until then, by `performance.now()`. */
  readonly endsMs: number;
}

const MOST_WINDOWS = 1000;
const QUIET_MS = 60_000;

/**
 * Notices that the store has lost counts: within a window, a later request got no higher number. Calls `onLoss` once
 * for a loss, and at most once a minute. The loss is not noticed if no token that was counted before it is counted
 * again within its window.
 */
export class LossWatch implements Limiter {
  readonly #limiter: Limiter;
  readonly #onLoss: () => void;
  readonly #seen = new Map<string, Seen>();
  #quietUntilMs = 0;

  constructor(limiter: Limiter, onLoss: () => void) {
    this.#limiter = limiter;
    this.#onLoss = onLoss;
  }

  async count(token: Counted, windowSeconds: number): Promise<Hit> {
    const sentMs = performance.now();
    const hit = await this.#limiter.count(token, windowSeconds);
    this.#compare(`${token.id}:${windowSeconds}`, hit, sentMs);
    return hit;
  }

  probe(): Promise<void> {
    return this.#limiter.probe();
  }

  #compare(key: string, { hits, secondsLeft }: Hit, sentMs: number): void {
    const answeredMs = performance.now();
    const seen = this.#seen.get(key);
    if (seen && hits <= seen.hits && answeredMs < seen.endsMs) {
      // Answers may overtake each other.
      if (sentMs <= seen.answeredMs) return;
      this.#lose(answeredMs);
    }
    if (!seen && this.#seen.size >= MOST_WINDOWS) this.#forgetOldest();
    // The seconds are rounded up.
    this.#seen.set(key, { hits, answeredMs, endsMs: sentMs + (secondsLeft - 1) * 1000 });
  }

  #lose(nowMs: number): void {
    // What was counted before the loss must not report it again.
    this.#seen.clear();
    if (nowMs < this.#quietUntilMs) return;
    this.#quietUntilMs = nowMs + QUIET_MS;
    this.#onLoss();
  }

  #forgetOldest(): void {
    const [oldest] = this.#seen.keys();
    if (oldest !== undefined) this.#seen.delete(oldest);
  }
}
