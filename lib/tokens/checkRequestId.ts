import { InvalidInput } from '../errors/InvalidInput';

const REQUEST_ID = /^[\x21-\x7e]{1,64}$/;

/** The id of a request for a token; null where it has none. An id that got lost on its way is no id left out. */
export function checkRequestId(request: { readonly requestId?: unknown }): string | null {
  if (!('requestId' in request)) return null;
  const { requestId } = request;
  if (typeof requestId === 'string' && REQUEST_ID.test(requestId)) return requestId;
  throw new InvalidInput('requestId', 'The id of a request must be 1 to 64 visible ASCII characters.');
}
