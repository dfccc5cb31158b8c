import { grants } from '../fields/Operation';
import type { Body, BufferedBody } from '../json/Body';
import type { ListAnswers, ListPage, ListRequest } from '../lists/ListAnswers';
import { ensure } from '../log/InvariantBroken';
import type { TokenLookup } from '../tokens/TokenLookup';
import type { ApiRequest } from './ApiRequest';
import { type Authenticated, authenticateRequest } from './authenticateRequest';
import {
  type AccessParts,
  type Asked,
  type AskedList,
  type AskedObject,
  checkRequest,
  type Query,
} from './checkRead';
import type { LoadedObject, RateLimitState } from './Endpoint';
import type { Limited, RequestLimits } from './RequestLimits';

interface AdmissionParts {
  readonly tokenLookup: TokenLookup;
  readonly limits: RequestLimits;
}

interface StepParts extends AdmissionParts, AccessParts {
  readonly lists: ListAnswers;
}

/**
 * Answers a request with data as JSON text, or as a stream of it. The steps, in their order: the switch and the token,
 * the count, the path and method, the scope and account, the query, the answer. Throws the ApiError of the first step
 * that refuses the request.
 */
export async function answerRequest(request: ApiRequest, query: Query, parts: StepParts): Promise<Body> {
  const { lists } = parts;
  const known = await authenticateRequest(request, parts.tokenLookup);
  const counting = parts.limits.count(known);
  const starting = parts.limits.allowsHeadStart(known) ? startReading(known, query, parts) : null;
  // The error of the count comes first.
  starting?.catch(() => undefined);
  const { rateLimit } = await counting;
  const { asked, list } = (await starting) ?? { asked: await checkRequest(known, query, parts), list: null };
  if (!('list' in asked)) return (await loadObject(asked, rateLimit, lists)).body();
  return listBody(list ?? startList(asked, lists), lists);
}

/** A list whose read has begun. */
interface StartedList {
  readonly request: ListRequest;
  readonly buffered: Promise<BufferedBody | null>;
}

function startList(asked: AskedList, lists: ListAnswers): StartedList {
  const request = listRequest(asked);
  const buffered = lists.buffered(request);
  buffered.catch(() => undefined);
  return { request, buffered };
}

/**
 * Checks a request while it is counted, and starts to read its list, if statements alone read it. Any other list may call
 * a function of the panel, which is not called for a refused request. Rejects as the checks do.
 */
async function startReading(known: Authenticated, query: Query, parts: StepParts) {
  const asked = await checkRequest(known, query, parts);
  const isStarted = 'list' in asked && isReadByStatements(asked);
  return { asked, list: isStarted ? startList(asked, parts.lists) : null };
}

function isReadByStatements({ list: { source, own } }: AskedList): boolean {
  return source.statements === 1 && own?.owners.isInDatabase !== false;
}

async function listBody({ request, buffered }: StartedList, lists: ListAnswers): Promise<Body> {
  const body = (await buffered) ?? (await lists.streamed(request));
  // After the deadline or a disconnection, no caller reads it to the end.
  if ('stream' in body && request.end.reason !== undefined) await body.stream.return(undefined);
  return body;
}

/** The steps of a request until it is counted, if it may then read several endpoints. */
export async function admitRequest(
  request: ApiRequest,
  { tokenLookup, limits }: AdmissionParts,
): Promise<Limited> {
  return limits.count(await authenticateRequest(request, tokenLookup));
}

/** Answers a request with data as values: an object, or of a list the page or the figures that the query contains. */
export async function readRequest(
  request: ApiRequest,
  query: Query,
  parts: StepParts,
): Promise<object | ListPage> {
  const limited = await admitRequest(request, parts);
  return readAsked(await checkRequest(limited, query, parts), limited.rateLimit, parts.lists);
}

/** Returns the data of a read that has passed all checks. */
export async function readAsked(asked: Asked, rateLimit: RateLimitState, lists: ListAnswers) {
  return 'list' in asked ? lists.page(listRequest(asked)) : (await loadObject(asked, rateLimit, lists)).data;
}

async function loadObject(
  { endpoint, request, token, settings, owners, parameters }: AskedObject,
  rateLimit: RateLimitState,
  lists: ListAnswers,
): Promise<LoadedObject> {
  ensure(grants(token.scopes, endpoint), 'scope');
  if (owners) await lists.judge(owners, { tokenId: token.id, end: request.cancellation });
  return endpoint.load({ ...request.arrival, token, settings, owners, rateLimit, parameters });
}

/** Returns what to read of the list. */
export function listRequest({ endpoint, list, query, token, request }: AskedList): ListRequest {
  ensure(grants(token.scopes, endpoint), 'scope');
  const { source, own } = list;
  return { resource: endpoint.name, source, own, query, tokenId: token.id, end: request.cancellation };
}
