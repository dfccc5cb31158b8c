/** Nobody waits for the request's answer any more. */
export class RequestOver extends Error {
  override readonly name = 'RequestOver';
}

/** The one that ends every request: where it was made tells nobody anything, and costs more than the rest of it. */
export const REQUEST_OVER = new RequestOver('Nobody waits for the answer any more.');
