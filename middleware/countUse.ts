import type { Context, Middleware } from 'koa';
import { REQUEST_OVER } from '../lib/errors/RequestOver';
import { dayOf } from '../lib/usage/day';
import { statusClass } from '../lib/usage/statusClass';
import type { Usage } from '../lib/usage/Usage';
import { OTHER } from '../lib/usage/UsageCount';
import { answeredStatus } from './answeredStatus';
import { requestState } from './RequestState';

/**
 * Counts the use of the token when the request is over: of every request that was authenticated, those beyond the
 * limit included. `names` has the resource of each endpoint's path, so that no other path comes into a count.
 */
export function countUse(usage: Usage, names: ReadonlyMap<string, string>): Middleware {
  return async function countUse(context, next) {
    const ctx = context as Context;
    const state = requestState(ctx);
    const { token, route } = state;
    if (!token) throw new Error('Only authenticated requests are counted.');
    const endpoint = (route !== null && names.get(route)) || OTHER;
    const count = () =>
      usage.count({
        tokenId: token.id,
        day: dayOf(token.readAt),
        endpoint,
        statusClass: statusClass(answeredStatus(ctx, state)),
      });
    // The client may have left while the token was looked up; the limit counts that too.
    if (state.end.reason === REQUEST_OVER) count();
    else ctx.res.once('close', count);
    await next();
  };
}
