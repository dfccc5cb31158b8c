import type { RateLimitState } from '../lib/operations/Call';

/** Where the token's window stands, as draft-ietf-httpapi-ratelimit-headers-11 writes it. */
export function rateLimitHeaders({ limit, windowSeconds, remaining, secondsLeft }: RateLimitState) {
  return {
    'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
    RateLimit: `"default";r=${remaining};t=${secondsLeft}`,
  };
}
