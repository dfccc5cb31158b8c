import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import type { Hit } from '../lib/limiter/Limiter';
import { requestState } from './RequestState';

/** Counts the request against the token's limit; a store that fails is 503 and never 429. */
export function countRequest({ limiter, options }: Pick<Installation, 'limiter' | 'options'>): Middleware {
  const { requests, windowSeconds } = options.rateLimit;
  return async function countRequest(ctx, next) {
    const state = requestState(ctx);
    if (!state.token) throw new Error('Only authenticated requests are counted.');
    const limit = state.token.rateLimit ?? requests;
    const { hits, secondsLeft, resetsAt } = await limiter.count(state.token).catch(storeFailed);
    state.rateLimit = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
    await next();
  };
}

function storeFailed(error: unknown): Promise<Hit> {
  throw new ApiError('unavailable', {}, error);
}
