import type { Middleware } from 'koa';
import { ApiError } from '../lib/errors/ApiError';
import { grants, type OperationFacts } from '../lib/operations/OperationFacts';
import { tokenOf } from './RequestState';

/** Refuses a token without the operation's scope before any of the panel's data is read. */
export function requireScope(operation: OperationFacts): Middleware {
  return async function requireScope(ctx, next) {
    if (!grants(tokenOf(ctx).scopes, operation)) {
      throw new ApiError('scope_missing', { required_scope: operation.scope });
    }
    await next();
  };
}
