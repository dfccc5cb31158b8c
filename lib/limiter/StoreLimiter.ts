import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { withTimeout } from '../async/withTimeout';
import type { Counted, Hit, Limiter } from './Limiter';

/** A store that only counts: what is too many is judged by the settings, and each count brings its own duration. */
export const COUNTING = { points: Number.MAX_SAFE_INTEGER, duration: 1 };

/**
 * Counts in a store of rate-limiter-flexible, whose windows begin with a token's first request. Each length of the
 * window has counts of its own, so that a changed one begins anew and never lasts longer than it says.
 */
export class StoreLimiter implements Limiter {
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

/** A client of ioredis or of node-redis, connected by the panel; the module never closes it. */
export type Redis = { readonly [name in 'get' | 'eval' | 'multi']: (...args: never[]) => unknown };

/** Gives a store a limited time to answer, and then asks the fallback that the panel chose, if any. */
export class FallbackLimiter implements Limiter {
  readonly #limiter: Limiter;
  readonly #patienceMs: number;
  readonly #fallback: Limiter | null;

  constructor(limiter: Limiter, patienceMs: number, fallback: Limiter | null) {
    this.#limiter = limiter;
    this.#patienceMs = patienceMs;
    this.#fallback = fallback;
  }

  async count(token: Counted, windowSeconds: number): Promise<Hit> {
    try {
      return await this.#within(this.#limiter.count(token, windowSeconds));
    } catch (error) {
      if (this.#fallback) return this.#fallback.count(token, windowSeconds);
      throw error;
    }
  }

  async probe(): Promise<void> {
    await this.#within(this.#limiter.probe());
  }

  #within<T>(answer: Promise<T>): Promise<T> {
    return withTimeout(
      answer,
      this.#patienceMs,
      () => new Error('The limiter store did not answer in time.'),
    );
  }
}
