import type { Usage } from '../usage/Usage';
import type { RequestListener } from './ApiRequest';

/**
 * Counts every authenticated request as a use of its token, including those beyond the limit and those that ended
 * before authentication, for example at the deadline, because the limit counts them too. Notes every error that is
 * answered to a known token, also to one that has ended.
 */
export function countUses(usage: Usage): RequestListener {
  return async ({ token: found, use, arrival, error }, { status }) => {
    const endpoint = arrival.endpoint?.name ?? null;
    if (found && error)
      usage.refuse({
        tokenId: found.id,
        at: found.readAt,
        endpoint,
        code: error.code,
        requestId: arrival.id,
      });
    const { token } = await use;
    usage.count({ token, endpoint, status });
  };
}
