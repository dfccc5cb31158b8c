import type { Body, BufferedBody } from '../json/Body';
import type { ListAnswers, ListRequest } from '../lists/ListAnswers';
import type { TokenLookup } from '../tokens/TokenLookup';
import type { ApiRequest } from './ApiRequest';
import { authenticateRequest } from './authenticateRequest';
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
  // A list is read while its request is counted, if statements alone read it. Any other list may call a function of the
  // panel, which is not called for a refused request.
  const checking = parts.limits.allowsHeadStart(known) ? checkRequest(known, given, parts) : null;
  const reading = checking?.then((query) => (isReadByStatements(query) ? lists.buffered(query) : undefined));
  // The error of the count comes first.
  reading?.catch(() => undefined);
  const { rateLimit } = await counting;
  const query = await (checking ?? checkRequest(known, given, parts));
  if ('endpoint' in query) return (await loadObject(query, rateLimit, lists)).body();
  const read = await reading;
  return listBody(query, read === undefined ? await lists.buffered(query) : read, lists);
}

function isReadByStatements(query: Query): query is ListRequest {
  if ('endpoint' in query) return false;
  return query.source.statements === 1 && query.rowsOfToken?.tokenAccounts.isInDatabase !== false;
}

async function listBody(
  request: ListRequest,
  buffered: BufferedBody | null,
  lists: ListAnswers,
): Promise<Body> {
  const body = buffered ?? (await lists.streamed(request));
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
