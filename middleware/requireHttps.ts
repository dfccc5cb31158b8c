import type { Middleware } from 'koa';
import { isLoopback } from '../lib/addresses/isLoopback';
import { ApiError } from '../lib/errors/ApiError';
import { requestState } from './RequestState';

/**
 * Refuses what came without HTTPS, where the settings ask for it, before a token is read. What comes from the server
 * itself crosses no network; a request without an address, as over a unix-domain socket, may come from anywhere.
 */
export function requireHttps(): Middleware {
  return async function requireHttps(ctx, next) {
    const { settings, secure, clientIp } = requestState(ctx);
    if (settings?.httpsRequired !== false && !secure && !isLoopback(clientIp)) {
      throw new ApiError('https_required');
    }
    await next();
  };
}
