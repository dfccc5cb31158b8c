import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Counted, Hit, Limiter } from './Limiter';

/** A store that only counts: what is too many is judged by the settings, and each count brings its own duration. */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/**
 * Counts in a store of rate-limiter-flexible, whose windows begin with a token's first request. Each length of the
 * window has counts of its own, so that a changed one begins anew and never lasts longer than it says.
 */
export class FlexibleLimiter implements Limiter {
  readonly #store: RateLimiterAbstract;

  constructor(store: RateLimiterAbstract) {
    this.#store = store;
  }

  async count({ id, readAt }: Counted, windowSeconds: number): Promise<Hit> {
    const { consumedPoints, msBeforeNext } = await this.#store.consume(`${id}:${windowSeconds}`, 1, {
      customDuration: windowSeconds,
    });
    const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return { hits: consumedPoints, secondsLeft, resetsAt: readAt + secondsLeft };
  }

  async probe(): Promise<void> {
    await this.#store.get('probe');
  }
}
