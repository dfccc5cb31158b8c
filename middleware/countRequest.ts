import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import type { HeadStart } from '../lib/limiter/HeadStart';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type RequestState, requestState, tokenOf } from './RequestState';

/**
 * Counts the request against the token's limit, and notes the use of the token meanwhile; a store that fails is 503 and
 * never 429. Who is given a head start goes on meanwhile, but what comes of that counts only with the count.
 */
export function countRequest(
  { limiter, lastUse }: Pick<Installation, 'limiter' | 'lastUse'>,
  headStart: HeadStart,
): Middleware {
  async function count(token: TokenRecord, state: RequestState): Promise<void> {
    if (!state.settings) throw new Error('The request has not been through admit.');
    const { rateLimitRequests, rateLimitWindowSeconds: windowSeconds } = state.settings;
    const limit = token.rateLimit ?? rateLimitRequests;
    const [{ hits, secondsLeft, resetsAt }] = await Promise.all([
      limiter.count(token, windowSeconds).catch(storeFailed),
      lastUse.note(token),
    ]);
    headStart.counted(token, hits >= limit, resetsAt);
    state.rateLimit = { limit, windowSeconds, remaining: Math.max(0, limit - hits), secondsLeft, resetsAt };
    if (hits > limit) throw new ApiError('rate_limited', { retry_after: secondsLeft });
  }

  function storeFailed(error: unknown): never {
    headStart.failed();
    throw new ApiError('unavailable', {}, error);
  }

  return async function countRequest(ctx, next) {
    const state = requestState(ctx);
    const token = tokenOf(ctx);
    const counted = count(token, state);
    state.counted = counted;
    if (!headStart.isFor(token)) {
      await counted;
      await next();
      return;
    }
    const rest = next();
    // Where the count refuses the request, nobody waits for the rest of it.
    rest.catch(() => undefined);
    await counted;
    await rest;
  };
}
