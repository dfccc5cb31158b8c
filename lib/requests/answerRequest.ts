import type { Body, BufferedBody } from '../json/Body';
import type { ListAnswers, ListRequest } from '../lists/ListAnswers';
import type { TokenLookup } from '../tokens/TokenLookup';
import type { ApiRequest } from './ApiRequest';
import { type Authenticated, authenticateRequest } from './authenticateRequest';
import { type AccessParts, checkRequest, type GivenQuery, type ObjectQuery, type Query } from './checkRead';
import type { LoadedObject, RateLimitState } from './Endpoint';
import type { RequestLimits } from './RequestLimits';

export interface StepParts extends AccessParts {
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
  readonly lists: ListAnswers;
}

/**
 * Answers a request with data as JSON text, or as a stream of it. The steps, in their order: the switch and the token,
 * the count, the path and method, the scope and account, the query, the answer. Throws the ApiError of the first step
 * that refuses the request.
 */
export async function answerRequest(request: ApiRequest, given: GivenQuery, parts: StepParts): Promise<Body> {
  const { lists } = parts;
  const known = await authenticateRequest(request, parts.tokenLookup);
  const counting = parts.limits.count(known);
  const starting = parts.limits.allowsHeadStart(known) ? startReading(known, given, parts) : null;
  // The error of the count comes first.
  starting?.catch(() => undefined);
  const { rateLimit } = await counting;
  const { query, buffered } = (await starting) ?? {
    query: await checkRequest(known, given, parts),
    buffered: null,
  };
  if ('endpoint' in query) return (await loadObject(query, rateLimit, lists)).body();
  return listBody(query, buffered ?? lists.buffered(query), lists);
}

/**
 * Checks a request while it is counted, and starts to read its list, if statements alone read it. Any other list may call
 * a function of the panel, which is not called for a refused request. Rejects as the checks do.
 */
async function startReading(known: Authenticated, given: GivenQuery, parts: StepParts) {
  const query = await checkRequest(known, given, parts);
  const buffered = isReadByStatements(query) ? parts.lists.buffered(query) : null;
  buffered?.catch(() => undefined);
  return { query, buffered };
}

function isReadByStatements(query: Query): query is ListRequest {
  if ('endpoint' in query) return false;
  return query.source.statements === 1 && query.rowsOfToken?.tokenAccounts.isInDatabase !== false;
}

async function listBody(
  request: ListRequest,
  buffered: Promise<BufferedBody | null>,
  lists: ListAnswers,
): Promise<Body> {
  const body = (await buffered) ?? (await lists.streamed(request));
  // After the deadline or a disconnection, no caller reads it to the end.
  if ('stream' in body && request.end.reason !== undefined) await body.stream.return(undefined);
  return body;
}

/** Loads the object of a checked request. Rejects if none of the token's accounts may be served. */
export async function loadObject(
  { endpoint, request, token, tokenAccounts, parameters }: ObjectQuery,
  rateLimit: RateLimitState,
  lists: ListAnswers,
): Promise<LoadedObject> {
  if (tokenAccounts)
    await lists.requireServed(tokenAccounts, { tokenId: token.id, end: request.cancellation });
  return endpoint.load({ ...request.arrival, token, rateLimit, parameters });
}
