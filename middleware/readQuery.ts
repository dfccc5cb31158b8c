import { type Asked, readParameters } from '../lib/requests/answerRequest';
import type { Authorized } from '../lib/requests/authorizeRequest';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Refuses a request with a query that the endpoint does not understand. */
export function readQuery(): Step<Authorized, Asked, Answer> {
  return async (ctx, authorized, next) =>
    next(readParameters(authorized, new URLSearchParams(ctx.querystring)));
}
