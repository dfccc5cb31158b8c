import type { Authenticated } from '../lib/requests/authenticateRequest';
import type { Limited, RequestLimits } from '../lib/requests/RequestLimits';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Counts the request, and refuses it beyond the token's limit. */
export function limitRate(limits: RequestLimits): Step<Authenticated, Limited, Answer> {
  return (_ctx, authenticated, next) => limits.pass(authenticated, next);
}
