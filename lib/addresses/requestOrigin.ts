/** A host with an optional port, as browsers write it. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether it is a well-formed host, with or without a port. A client can send any text as its `Host`. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

interface Sent {
  readonly secure: boolean;
  readonly host: string;
  readonly path: string;
  readonly originalUrl: string;
  readonly app: { readonly proxy: boolean };
  /** Node's request. Express cuts the path of its mount off, and keeps the whole. */
  readonly req: object;
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

/** A path of one or more segments, without a slash at its end. It begins with a single slash, so it names no host. */
const PREFIX = /^(?:\/[\w.~!$&'()*+;=:@%-]+)+$/;

/**
 * Returns the path that clients see before that of the router, usually empty: what a trusted proxy reports to have cut
 * off, and the path below which the panel has mounted the router. A client may be able to write it, so it is only for
 * the answer to itself.
 */
export function requestPrefix(request: Sent): string {
  const { app, path, originalUrl, req } = request;
  const [whole = ''] = String('originalUrl' in req ? req.originalUrl : originalUrl).split('?');
  const mounted = whole.endsWith(path) ? whole.slice(0, -path.length) : '';
  const cutOff = app.proxy ? request.get('X-Forwarded-Prefix').split(',') : [];
  const prefixes = [...cutOff, mounted].map((one) => one.trim().replace(/\/+$/, ''));
  return prefixes.filter((one) => PREFIX.test(one)).join('');
}
