import { refuseParameter } from '../lib/errors/ApiError';
import { shownName } from '../lib/lists/parseListQuery';
import { type Asked, readParameters } from '../lib/requests/answerRequest';
import type { Authorized } from '../lib/requests/authorizeRequest';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Refuses a request with a query that the endpoint does not understand. */
export function readQuery(tokenPrefix: string): Step<Authorized, Asked, Answer> {
  return async (ctx, authorized, next) =>
    next(readParameters(authorized, parametersOf(ctx.querystring, tokenPrefix), tokenPrefix));
}

// URLSearchParams reads a percent sign that encodes nothing as itself, and a client that writes one may expect a wildcard.
function parametersOf(query: string, tokenPrefix: string): URLSearchParams {
  const wrong = query.split('&').find((parameter) => /%(?![\da-f]{2})/i.test(parameter));
  const [name] = new URLSearchParams(wrong).keys();
  if (name !== undefined)
    refuseParameter(shownName(name, tokenPrefix), 'percent-encoded: a percent sign is %25');
  return new URLSearchParams(query);
}
