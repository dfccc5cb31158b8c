import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import type { Hit } from '../lib/limiter/Limiter';
import { requestState } from './RequestState';

/**
 * Counts the request against the token's limit, and notes the use of the token meanwhile; a store that fails is 503 and
 * never 429.
 */
export function countRequest({ limiter, lastUse }: Pick<Installation, 'limiter' | 'lastUse'>): Middleware {
  return async function countRequest(ctx, next) {
    const state = requestState(ctx);
    if (!state.token || !state.settings) throw new Error('Only authenticated requests are counted.');
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds } = state.settings;
    const limit = state.token.rateLimit ?? rateLimitRequests;
    const [{ hits, secondsLeft, resetsAt }] = await Promise.all([
      limiter.count(state.token, windowSeconds).catch(storeFailed),
      lastUse.note(state.token),
    ]);
    state.rateLimit = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
    await next();
  };
}

function storeFailed(error: unknown): Promise<Hit> {
  throw new ApiError('unavailable', {}, error);
}
