import { ApiError } from '../errors/ApiError';
import type { Limiter } from '../limiter/Limiter';
import type { RequestsUnderWay } from './ApiRequest';
import type { Authenticated } from './authenticateRequest';
import type { RateLimitState } from './Endpoint';

/** A request that was counted, and is within the limit of its token. */
export interface Limited extends Authenticated {
  readonly rateLimit: RateLimitState;
}

/** How many tokens with a full window are remembered. For a forgotten one, a list may be read in vain. */
const MOST_TOKENS = 1000;

/** Counts requests against the limits of their tokens. */
export class RequestLimits {
  readonly #limiter: Limiter;
  readonly #underWay: RequestsUnderWay;
  /** The ends of the windows that are known to be full, in seconds since 1970, by token id. */
  readonly #full = new Map<number, number>();
  #hasFailed = false;

  constructor(limiter: Limiter, underWay: RequestsUnderWay) {
    this.#limiter = limiter;
    this.#underWay = underWay;
  }

  /**
   * Counts a request, and stores the use of its token. Rejects with ApiError `rate_limited` beyond the limit, and with
   * `unavailable` if the store fails.
   */
  async count(authenticated: Authenticated): Promise<Limited> {
    const { request, token, settings } = authenticated;
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds, lastUsedAddress } = settings;
    const limit = token.rateLimit ?? rateLimitRequests;
    const address = lastUsedAddress ? request.arrival.clientIp : null;
    const counted = { id: token.id, readAt: token.readAt, address };
    const hit = await this.#limiter.count(counted, windowSeconds).catch((error) => {
      this.#hasFailed = true;
      throw new ApiError('unavailable', {}, error);
    });
    const { hits, secondsLeft, resetsAt } = hit;
    this.#hasFailed = false;
    this.#full.delete(token.id);
    if (hits >= limit) {
      const [oldest] = this.#full.keys();
      if (oldest !== undefined && this.#full.size >= MOST_TOKENS) this.#full.delete(oldest);
      this.#full.set(token.id, resetsAt);
    }
    const rateLimit = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    // The headers show it, even if the request is refused.
    request.rateLimit = rateLimit;
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
    return { ...authenticated, rateLimit };
  }

  /**
   * Whether a request may read while it is counted: it must delay no other request, and is likely to be within its limit.
   */
  allowsHeadStart({ token: { id, readAt } }: Authenticated): boolean {
    return this.#underWay.count() === 1 && !this.#hasFailed && (this.#full.get(id) ?? 0) <= readAt;
  }
}
