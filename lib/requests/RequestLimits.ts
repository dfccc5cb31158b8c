import { ApiError } from '../errors/ApiError';
import type { Hit, Limiter } from '../limiter/Limiter';
import type { LastUse } from '../tokens/LastUse';
import type { TokenRecord } from '../tokens/TokenRecord';
import type { RequestsUnderWay } from './ApiRequest';
import type { Authenticated } from './authenticateRequest';
import type { RateLimitState } from './RequestContext';

/** A request that is counted against the limit of its token. */
export interface Limited extends Authenticated {
  /**
   * Settles when the request was counted; rejects if it is beyond the limit. It is settled before the next step begins,
   * unless the request reads speculatively: then the statements of a list may run before.
   */
  readonly counted: Promise<RateLimitState>;
}

interface LimitsParts {
  readonly limiter: Limiter;
  readonly lastUse: LastUse;
  readonly underWay: RequestsUnderWay;
}

/** How many tokens with a full window are remembered. For a forgotten one, a list may be read in vain. */
const MOST_TOKENS = 1000;

/**
 * Counts requests against the limits of their tokens.
 *
 * A request that is alone in this process continues while it is counted, so that its list is read at the same time: a
 * speculative read. It is answered only after it was counted, so the limit always applies.
 */
export class RequestLimits {
  readonly #parts: LimitsParts;
  /** The ends of the windows that are known to be full, in seconds since 1970, by token id. */
  readonly #full = new Map<number, number>();
  /** Whether the last count failed. */
  #fails = false;

  constructor(parts: LimitsParts) {
    this.#parts = parts;
  }

  /**
   * Counts a request, notes the use of its token, and calls the next step. Rejects with ApiError `rate_limited` beyond
   * the limit, and with `unavailable` if the store fails, whatever the next step returns.
   */
  async pass<T>(authenticated: Authenticated, next: (limited: Limited) => Promise<T>): Promise<T> {
    const { token } = authenticated;
    const counted = this.#count(authenticated);
    if (!this.#readsAhead(token)) await counted;
    const answer = next({ ...authenticated, counted });
    // If the count refuses the request, a rejection of the next step must not stay unhandled.
    answer.catch(() => undefined);
    await counted;
    return answer;
  }

  async #count({ request, token, settings }: Authenticated): Promise<RateLimitState> {
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds, lastUsedAddress } = settings;
    const { limiter, lastUse } = this.#parts;
    const limit = token.rateLimit ?? rateLimitRequests;
    const [hit] = await Promise.all([
      limiter.count(token, windowSeconds).catch((error) => this.#fail(error)),
      lastUse.note(token, lastUsedAddress ? request.arrival.clientIp : null),
    ]);
    const { hits, secondsLeft, resetsAt } = hit;
    this.#remember(token, hit, limit);
    const state = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    // The headers show it, even if the request is refused.
    request.rateLimit = state;
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
    return state;
  }

  #fail(error: unknown): never {
    this.#fails = true;
    throw new ApiError('unavailable', {}, error);
  }

  /** Whether a speculative read delays no other request and is likely to be used. */
  #readsAhead({ id, readAt }: TokenRecord): boolean {
    return this.#parts.underWay.count === 1 && !this.#fails && (this.#full.get(id) ?? 0) <= readAt;
  }

  #remember({ id }: TokenRecord, { hits, resetsAt }: Hit, limit: number): void {
    this.#fails = false;
    this.#full.delete(id);
    if (hits < limit) return;
    const [oldest] = this.#full.keys();
    if (oldest !== undefined && this.#full.size >= MOST_TOKENS) this.#full.delete(oldest);
    this.#full.set(id, resetsAt);
  }
}
