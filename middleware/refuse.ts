import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import type { ErrorCode } from '../lib/errors/errorCodes';

/** Refuses every request that comes this far. */
export function refuse(code: ErrorCode): Middleware {
  return async function refuse() {
    throw new ApiError(code);
  };
}
