import type { Hit, Limiter } from './Limiter';

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
export function watchLosses(limiter: Limiter, onLoss: () => void): Limiter {
  const windows = new Map<string, Seen>();
  let quietUntilMs = 0;

  function lose(nowMs: number): void {
    // What was counted before the loss must not report it again.
    windows.clear();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + QUIET_MS;
    onLoss();
  }

  function compare(key: string, { hits, secondsLeft }: Hit, sentMs: number): void {
    const answeredMs = performance.now();
    const seen = windows.get(key);
    if (seen && hits <= seen.hits && answeredMs < seen.endsMs) {
      // Answers may overtake each other.
      if (sentMs <= seen.answeredMs) return;
      lose(answeredMs);
    }
    const [oldest] = windows.keys();
    if (!seen && oldest !== undefined && windows.size >= MOST_WINDOWS) windows.delete(oldest);
    // The seconds are rounded up.
    windows.set(key, { hits, answeredMs, endsMs: sentMs + (secondsLeft - 1) * 1000 });
  }

  return {
    async count(token, windowSeconds) {
      const sentMs = performance.now();
      const hit = await limiter.count(token, windowSeconds);
      compare(`${token.id}:${windowSeconds}`, hit, sentMs);
      return hit;
    },
    probe: () => limiter.probe(),
  };
}
