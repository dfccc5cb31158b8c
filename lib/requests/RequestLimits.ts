import { ApiError } from '../errors/ApiError';
import type { Limiter } from '../limiter/Limiter';
import type { LastUse } from '../tokens/LastUse';
import type { RequestsUnderWay } from './ApiRequest';
import type { Authenticated } from './authenticateRequest';
import type { RateLimitState } from './Endpoint';

/** A request that is counted against the limit of its token. */
export interface Limited extends Authenticated {
  /**
   * Settles when the request was counted; rejects if it is beyond the limit. It is settled before the next step begins,
   * unless the request reads speculatively: then the statements of a list may run before.
   */
  readonly counted: Promise<RateLimitState>;
}

/** How many tokens with a full window are remembered. For a forgotten one, a list may be read in vain. */
const MOST_TOKENS = 1000;

export type RequestLimits = ReturnType<typeof requestLimits>;

/**
 * Counts requests against the limits of their tokens.
 *
 * A request that is alone in this process continues while it is counted, so that its list is read at the same time: a
 * speculative read. It is answered only after it was counted, so the limit always applies.
 */
export function requestLimits(limiter: Limiter, lastUse: LastUse, underWay: RequestsUnderWay) {
  /** The ends of the windows that are known to be full, in seconds since 1970, by token id. */
  const full = new Map<number, number>();
  let hasFailed = false;

  const count = async ({ request, token, settings }: Authenticated): Promise<RateLimitState> => {
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds, lastUsedAddress } = settings;
    const limit = token.rateLimit ?? rateLimitRequests;
    const [{ hits, secondsLeft, resetsAt }] = await Promise.all([
      limiter.count(token, windowSeconds).catch((error) => {
        hasFailed = true;
        throw new ApiError('unavailable', {}, error);
      }),
      lastUse.note(token, lastUsedAddress ? request.arrival.clientIp : null),
    ]);
    hasFailed = false;
    full.delete(token.id);
    const [oldest] = full.keys();
    if (hits >= limit && oldest !== undefined && full.size >= MOST_TOKENS) full.delete(oldest);
    if (hits >= limit) full.set(token.id, resetsAt);
    const state = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    // The headers show it, even if the request is refused.
    request.rateLimit = state;
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
    return state;
  };

  /**
   * Counts a request, notes the use of its token, and calls the next step. Rejects with ApiError `rate_limited` beyond
   * the limit, and with `unavailable` if the store fails, whatever the next step returns.
   */
  return async <T>(authenticated: Authenticated, next: (limited: Limited) => Promise<T>): Promise<T> => {
    const { id, readAt } = authenticated.token;
    const counted = count(authenticated);
    // A speculative read must delay no other request, and be likely to be used.
    const readsAhead = underWay.count() === 1 && !hasFailed && (full.get(id) ?? 0) <= readAt;
    if (!readsAhead) await counted;
    const answer = next({ ...authenticated, counted });
    // If the count refuses the request, a rejection of the next step must not stay unhandled.
    answer.catch(() => undefined);
    await counted;
    return answer;
  };
}
