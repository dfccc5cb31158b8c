import { refuseParameter } from '../errors/ApiError';
import { parseListQuery, parseObjectQuery, shownName } from '../lists/parseListQuery';
import type { AccountList } from '../owners/AccountList';
import type { Source } from '../sources/Source';
import type { TokenLookup } from '../tokens/TokenLookup';
import type { ApiRequest } from './ApiRequest';
import type { Asked } from './answerRequest';
import { authenticateRequest } from './authenticateRequest';
import { type Authorized, authorizeRead, authorizeRequest } from './authorizeRequest';
import type { Endpoint } from './Endpoint';
import type { Limited, RequestLimits } from './RequestLimits';

/** The query of a request: the part of its URL, or the decoded names and values. */
export type Query = string | URLSearchParams | Readonly<Record<string, string>>;

/** The parts of a mount that the checks need. */
export interface CheckParts {
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
  readonly sources: ReadonlyMap<string, Source>;
  readonly accounts: AccountList;
  readonly options: { readonly tokenPrefix: string };
}

/**
 * Passes a request through the checks of every request, in their order: the token, its limit, the method, the scope and
 * account, the query. Then answers it. Throws the ApiError of the first check that refuses it.
 */
export async function passChecks<T>(
  request: ApiRequest,
  query: Query,
  parts: CheckParts,
  answer: (asked: Asked) => Promise<T>,
): Promise<T> {
  return admitRequest(request, parts, async (limited) => {
    const authorized = await authorizeRequest(limited, parts.sources, parts.accounts);
    return answer(readParameters(authorized, query, parts));
  });
}

/** Passes a request through the checks of its token and its limit, if it may then read several endpoints. */
export async function admitRequest<T>(
  request: ApiRequest,
  { tokenLookup, limits }: Pick<CheckParts, 'tokenLookup' | 'limits'>,
  answer: (limited: Limited) => Promise<T>,
): Promise<T> {
  return limits.pass(await authenticateRequest(request, tokenLookup), answer);
}

/** Passes a read of an admitted request through the other checks: the scope and account, the query. */
export async function checkRead(
  limited: Limited,
  endpoint: Endpoint,
  query: Query,
  parts: CheckParts,
): Promise<Asked> {
  const readable = await authorizeRead(limited, endpoint, parts.sources, parts.accounts);
  return readParameters({ ...limited, ...readable }, query, parts);
}

/** Parses the parameters of a request. Throws ApiError `query_invalid` that names the first wrong one. */
function readParameters(
  authorized: Authorized,
  written: Query,
  { options: { tokenPrefix } }: CheckParts,
): Asked {
  const parameters = parametersOf(written, tokenPrefix);
  if (!('list' in authorized))
    return { ...authorized, parameters: parseObjectQuery(parameters, authorized.endpoint, tokenPrefix) };
  const { endpoint, list } = authorized;
  const query = parseListQuery(parameters, {
    operation: endpoint,
    report: list.report,
    accounts: list.own?.owners.binding ?? null,
    tokenPrefix,
    accepts: (key, order) => list.source.accepts(key, order),
  });
  return { ...authorized, query };
}

// URLSearchParams reads a percent sign that encodes nothing as itself, and a client that writes one may expect a wildcard.
function parametersOf(query: Query, tokenPrefix: string): URLSearchParams {
  if (typeof query === 'string') {
    const wrong = query.split('&').find((parameter) => /%(?![\da-f]{2})/i.test(parameter));
    const [name] = new URLSearchParams(wrong).keys();
    if (name !== undefined)
      refuseParameter(shownName(name, tokenPrefix), 'percent-encoded: a percent sign is %25');
  }
  return new URLSearchParams(query);
}
