import type { TokenEvents } from '../tokens/TokenEvents';
import type { RequestListener } from './ApiRequest';

/** Tells the panel what the request has shown about its token. */
export function tellEvents(events: TokenEvents): RequestListener {
  return async ({ token, use }) => {
    if (token && token.state !== 'active') return events.ended(token);
    const used = await use;
    return events.used(used.token, used.address);
  };
}
