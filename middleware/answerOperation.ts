import type { Middleware } from 'koa';
import type { Installation } from '../lib/Installation';
import { loadOperation } from '../lib/operations/loadOperation';
import type { Operation } from '../lib/operations/Operation';
import { callOf, requestState } from './RequestState';

/** Loads the operation's data; the envelope is made further out. */
export function answerOperation(operation: Operation, installation: Installation): Middleware {
  return async function answerOperation(ctx) {
    const data = await loadOperation(operation, callOf(ctx), installation);
    requestState(ctx).result = {
      message: `${operation.title} loaded.`,
      data: { resource: operation.name, ...data },
    };
  };
}
