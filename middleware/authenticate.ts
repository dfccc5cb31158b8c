import type { ApiRequest } from '../lib/requests/ApiRequest';
import { type Authenticated, authenticateRequest } from '../lib/requests/authenticateRequest';
import type { TokenLookup } from '../lib/tokens/TokenLookup';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Lets a request through if it bears a valid token and the API is on. */
export function authenticate(tokenLookup: TokenLookup): Step<ApiRequest, Authenticated, Answer> {
  return async (_ctx, request, next) => next(await authenticateRequest(request, tokenLookup));
}
