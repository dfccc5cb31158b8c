import { type Authorized, authorizeRequest } from '../lib/requests/authorizeRequest';
import type { Limited } from '../lib/requests/RequestLimits';
import type { Source } from '../lib/sources/Source';
import type { Answer } from './answerInEnvelope';
import type { Step } from './Pipeline';

/** Lets a request through if its token has the scope of the endpoint and may see it with its account. */
export function requireScope(sources: ReadonlyMap<string, Source>): Step<Limited, Authorized, Answer> {
  return async (_ctx, limited, next) => next(await authorizeRequest(limited, sources));
}
