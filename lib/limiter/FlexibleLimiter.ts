import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import type { Counted, Hit, Limiter } from './Limiter';

/** Counts in a store of rate-limiter-flexible, whose windows begin with a token's first request. */
export class FlexibleLimiter implements Limiter {
  readonly #store: RateLimiterAbstract;

  constructor(store: RateLimiterAbstract) {
    this.#store = store;
  }

  async count({ id, readAt }: Counted): Promise<Hit> {
    const { consumedPoints, msBeforeNext } = await this.#consume(String(id));
    const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));
    return { hits: consumedPoints, secondsLeft, resetsAt: readAt + secondsLeft };
  }

  async probe(): Promise<void> {
    await this.#store.get('probe');
  }

  // The library rejects with the count when the limit is exceeded, and with an Error when the store fails.
  async #consume(key: string): Promise<RateLimiterRes> {
    try {
      return await this.#store.consume(key);
    } catch (reason) {
      if (reason instanceof RateLimiterRes) return reason;
      throw reason;
    }
  }
}
