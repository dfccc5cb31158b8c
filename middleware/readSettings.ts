import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { Settings } from '../lib/settings/Settings';
import { requestState } from './RequestState';

/** Reads the settings in every request, and answers 503 `api_disabled` while the API is off, before a token is read. */
export function readSettings(settings: Settings): Middleware {
  return async function readSettings(ctx, next) {
    const found = await settings.ofRequest().catch(unanswered);
    if (!found) throw new ApiError('api_disabled');
    requestState(ctx).settings = found;
    await next();
  };
}

// The panel's own function reads its database as a rule, and fails with it.
function unanswered(error: unknown): never {
  throw new ApiError('unavailable', {}, error);
}
