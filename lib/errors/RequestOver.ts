/** Nobody waits for the request's answer any more. */
export class RequestOver extends Error {
  override readonly name = 'RequestOver';
}
