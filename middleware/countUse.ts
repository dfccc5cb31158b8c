import type { Middleware } from 'koa';
import { dayOf } from '../lib/time/time';
import type { Usage } from '../lib/usage/Usage';
import { OTHER, statusClass } from '../lib/usage/UsageTable';
import { requestState } from './RequestState';

/**
 * Counts the use of the token when the request is over: of every request that was authenticated, those beyond the
 * limit included, and those that were over before that, as after the deadline: the limit counts them too. `names` has
 * the resource of each endpoint's path, so that no other path comes into a count.
 */
export function countUse(usage: Usage, names: ReadonlyMap<string, string>): Middleware {
  return async function countUse(ctx, next) {
    const { token, route, finished } = requestState(ctx);
    if (!token) throw new Error('Only authenticated requests are counted.');
    const endpoint = (route !== null && names.get(route)) || OTHER;
    void finished.then(({ status }) =>
      usage.count({
        tokenId: token.id,
        day: dayOf(token.readAt),
        endpoint,
        statusClass: statusClass(status),
      }),
    );
    await next();
  };
}
