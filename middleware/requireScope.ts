import { type Authorized, authorizeRequest } from '../lib/requests/authorizeRequest';
import type { Limited } from '../lib/requests/RequestLimits';
import type { Source } from '../lib/sources/Source';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Refuses a request whose token lacks the endpoint's scope, or may not read it with its account. */
export function requireScope(sources: ReadonlyMap<string, Source>): Step<Limited, Authorized, Answer> {
  return async (_ctx, limited, next) => next(await authorizeRequest(limited, sources));
}
