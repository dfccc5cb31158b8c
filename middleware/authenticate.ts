import type { ApiRequest } from '../lib/requests/ApiRequest';
import { type Authenticated, authenticateRequest } from '../lib/requests/authenticateRequest';
import type { TokenLookup } from '../lib/tokens/TokenLookup';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Refuses a request without a valid token, or while the API is off. */
export function authenticate(tokenLookup: TokenLookup): Step<ApiRequest, Authenticated, Answer> {
  return async (_ctx, request, next) => next(await authenticateRequest(request, tokenLookup));
}
