import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import { printable } from '../lib/text/printable';

const LONGEST_NAME = 64;

/** Refuses query parameters that the operation does not have; so far none has any. */
export function checkQuery(): Middleware {
  return async function checkQuery(ctx, next) {
    const [parameter] = new URLSearchParams(ctx.querystring).keys();
    if (parameter !== undefined) {
      throw new ApiError('query_invalid', { parameter: printable(parameter, LONGEST_NAME) });
    }
    await next();
  };
}
