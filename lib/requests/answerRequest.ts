import type { Body } from '../json/Body';
import type { ListAnswers, ListPage, ListRequest } from '../lists/ListAnswers';
import { ensure } from '../log/InvariantBroken';
import { grants } from '../operations/Operation';
import type { LoadedObject } from './Endpoint';
import type { Asked, AskedList, AskedObject } from './passChecks';

/** Returns the answer's data as JSON text, or as a stream of it. */
export async function answerRequest(asked: Asked, lists: ListAnswers): Promise<Body> {
  if (!('list' in asked)) return (await loadObject(asked, lists)).body();
  const list = await listRequest(asked);
  const buffered = await lists.buffered(list);
  if (buffered) return buffered;
  await asked.counted;
  const body = await lists.streamed(list);
  // After the deadline or a disconnection, no caller reads it to the end.
  if ('stream' in body && list.end.reason !== undefined) await body.stream.return(undefined);
  return body;
}

/** Returns the answer's data as values: an object, or of a list the page or the figures that the query contains. */
export async function readRequest(asked: Asked, lists: ListAnswers): Promise<object | ListPage> {
  return 'list' in asked ? lists.page(await listRequest(asked)) : (await loadObject(asked, lists)).data;
}

async function loadObject(
  { endpoint, request, token, settings, counted, owners, parameters }: AskedObject,
  lists: ListAnswers,
): Promise<LoadedObject> {
  ensure(grants(token.scopes, endpoint), 'scope');
  const rateLimit = await counted;
  if (owners) await lists.judge(owners, { tokenId: token.id, end: request.cancellation });
  return endpoint.load({ ...request.arrival, token, settings, owners, rateLimit, parameters });
}

/** Returns what to read of the list, as soon as that is allowed. */
export async function listRequest(asked: AskedList): Promise<ListRequest> {
  const { endpoint, list, query, token, request, counted } = asked;
  ensure(grants(token.scopes, endpoint), 'scope');
  const { source, own } = list;
  // Any other source may be a function of the panel, which is not called for a refused request.
  if (source.statements !== 1 || own?.owners.isInDatabase === false) await counted;
  return { resource: endpoint.name, source, own, query, tokenId: token.id, end: request.cancellation };
}
