import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import { Exhausted } from '../lib/limiter/Exhausted';
import type { Hit } from '../lib/limiter/Limiter';
import { type RequestState, requestState, tokenOf } from './RequestState';

/**
 * Counts the request against the token's limit, and notes the use of the token; a store that fails is 503 and never 429.
 * What comes after it begins meanwhile, but counts only when the request was found to be within the limit.
 */
export function countRequest({ limiter, lastUse }: Pick<Installation, 'limiter' | 'lastUse'>): Middleware {
  const exhausted = new Exhausted();

  async function count(state: RequestState): Promise<void> {
    if (!state.settings) throw new Error('Only authenticated requests are counted.');
    const token = tokenOf({ state: { panelApi: state } });
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds } = state.settings;
    const limit = token.rateLimit ?? rateLimitRequests;
    const [{ hits, secondsLeft, resetsAt }] = await Promise.all([
      limiter.count(token, windowSeconds).catch(storeFailed),
      lastUse.note(token),
    ]);
    exhausted.note(token, hits >= limit, resetsAt);
    state.rateLimit = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
  }

  return async function countRequest(ctx, next) {
    const state = requestState(ctx);
    const counted = count(state);
    state.counted = counted;
    // Who is beyond the limit shall cost no more than a count.
    if (exhausted.has(tokenOf(ctx))) await counted;
    const rest = next();
    rest.catch(() => undefined);
    await counted;
    await rest;
  };
}

function storeFailed(error: unknown): Promise<Hit> {
  throw new ApiError('unavailable', {}, error);
}
