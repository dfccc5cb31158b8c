import { type Asked, readParameters } from '../lib/requests/answerRequest';
import type { Authorized } from '../lib/requests/authorizeRequest';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Lets a request through if the endpoint understands its query. */
export function readQuery(): Step<Authorized, Asked, Answer> {
  return async (ctx, authorized, next) =>
    next(readParameters(authorized, new URLSearchParams(ctx.querystring)));
}
