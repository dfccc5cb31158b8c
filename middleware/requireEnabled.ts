import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Installation } from '../lib/Installation';
import { isEnabled } from '../lib/settings/isEnabled';

/** Answers 503 `api_disabled` while the API is switched off, before a token is read. */
export function requireEnabled({ options, settings }: Installation): Middleware {
  return async function requireEnabled(_ctx, next) {
    const enabled = await isEnabled(options, settings).catch(unanswered);
    if (!enabled) throw new ApiError('api_disabled');
    await next();
  };
}

// The panel's own function reads its database as a rule, and fails with it.
function unanswered(error: unknown): never {
  throw new ApiError('unavailable', {}, error);
}
