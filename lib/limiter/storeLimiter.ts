import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Limiter } from './Limiter';

/**
 * Counts in a store of rate-limiter-flexible, whose windows begin with a token's first request. Counts are kept per
 * length of the window, so that a changed length begins a new window.
 */
export function storeLimiter(store: RateLimiterAbstract): Limiter {
  return {
    async count({ id, readAt }, windowSeconds) {
      const { consumedPoints, msBeforeNext } = await store.consume(`${id}:${windowSeconds}`, 1, {
        customDuration: windowSeconds,
      });
      // With a count that is no number, a request would be within every limit.
      if (![consumedPoints, msBeforeNext].every(Number.isFinite))
        throw new TypeError('The store did not count.');
      const secondsLeft = Math.max(1, Math.ceil(msBeforeNext / 1000));
      return { hits: consumedPoints, secondsLeft, resetsAt: readAt + secondsLeft };
    },
    async probe() {
      await store.get('probe');
    },
  };
}
