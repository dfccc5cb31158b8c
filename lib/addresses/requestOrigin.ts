/** A host with an optional port, as browsers write it. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether it is a well-formed host, with or without a port. A client can send any text as its `Host`. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

interface Sent {
  readonly secure: boolean;
  readonly host: string;
  readonly app: { readonly proxy: boolean };
  get(header: string): string;
}

/**
 * Returns the origin to which the client sent a request, such as `https://panel.example`; null if it is not known. A
 * request without HTTPS may come from a proxy that Koa does not trust, and a trusted proxy may have replaced the host
 * unless it sends `X-Forwarded-Host`. A client can write any host, so the origin is only for the answer to itself.
 */
export function requestOrigin(request: Sent): string | null {
  const { secure, host, app } = request;
  const isKnown = secure && isHost(host) && (!app.proxy || request.get('X-Forwarded-Host') !== '');
  return isKnown ? `https://${host}` : null;
}
