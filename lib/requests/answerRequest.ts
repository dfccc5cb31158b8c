import type { Body } from '../json/BufferedBody';
import type { ListAnswers, ListRequest } from '../lists/ListAnswers';
import { type ListQuery, parseListQuery, refuseParameters } from '../lists/parseListQuery';
import type { Authorized, AuthorizedList, AuthorizedObject } from './authorizeRequest';
import type { LoadedObject } from './Endpoint';

/** A request whose parameters are understood. */
export type Asked = AuthorizedObject | AskedList;

export interface AskedList extends AuthorizedList {
  readonly query: ListQuery;
}

/** Reads the parameters of a request. Throws ApiError `query_invalid` that says which one is wrong, and why. */
export function readParameters(authorized: Authorized, parameters: URLSearchParams): Asked {
  if (!('list' in authorized)) {
    refuseParameters(parameters);
    return authorized;
  }
  const { endpoint, list, token } = authorized;
  const query = parseListQuery(parameters, {
    operation: endpoint,
    report: list.report,
    own: list.own,
    accountId: token.accountId,
    accepts: (key) => list.source.accepts(key),
  });
  return { ...authorized, query };
}

/** The object that a request asks for. */
export async function loadObject({
  endpoint,
  request,
  token,
  counted,
}: AuthorizedObject): Promise<LoadedObject> {
  const { clientIp, addressForgeable, mountPath, secure } = request.arrival;
  const rateLimit = await counted;
  return endpoint.load({ token, rateLimit, clientIp, addressForgeable, mountPath, secure });
}

/** The answer's data as JSON text. */
export async function answerRequest(asked: Asked, lists: ListAnswers): Promise<Body> {
  if (!('list' in asked)) return (await loadObject(asked)).body;
  const { request, counted } = asked;
  const list = listRequest(asked);
  // What is not one statement may be a function of the panel's, which is called for no request that is refused.
  if (list.source.statements !== 1) await counted;
  const buffered = await lists.buffered(list);
  if (buffered) return buffered;
  await counted;
  const body = await lists.streamed(list);
  // A client that has left would not read it to its end.
  if ('stream' in body && request.cancellation.reason !== undefined) await body.stream.return();
  return body;
}

/** What is asked of the list. */
export function listRequest({ endpoint, list, query, token, request }: AskedList): ListRequest {
  return {
    resource: endpoint.name,
    source: list.source,
    query,
    tokenId: token.id,
    end: request.cancellation,
  };
}
