import { isIP } from 'node:net';
import { canonicalAddress } from './addresses';

/** The longest address with a zone, in characters. A proxy's client can send a name of any length. */
const LONGEST = 64;

/** The warning for administrators that clients can forge their address. */
export const FORGEABLE_ADDRESS =
  'Koa reads the client address from the first entry of X-Forwarded-For, which a client can forge, so the allowed addresses of tokens are not reliable. Set app.maxIpsCount to the number of proxies in front of the panel.';

/** An address as some proxies write it: in quotes or brackets, or with the port of the connection. */
const WRITTEN = /^"?(?:\[([^\]]+)\]|(.+?))(?::\d{1,5})?"?$/;

/**
 * Returns the address of the request's client in canonical spelling; if Koa trusts a proxy, the address that it
 * reports. Returns `unknown` if there is none: over a Unix socket, or if the proxy reports something else.
 */
export function clientAddress({ ip }: { readonly ip: string }): string {
  // IPv6 without brackets may itself look like an address with a port.
  const [, bracketed, plain = ''] = isIP(ip) ? [] : (WRITTEN.exec(ip) ?? []);
  const address = isIP(ip) ? ip : (bracketed ?? plain);
  return canonicalAddress(address) ?? (isIP(address) ? address.slice(0, LONGEST) : 'unknown');
}

/** How an app of Koa trusts proxies. */
type Trust = { readonly proxy: boolean; readonly maxIpsCount: number };

/**
 * Whether clients can forge their address: Koa takes the first one in `X-Forwarded-For`, unless `app.maxIpsCount` says
 * how many proxies append one.
 */
export function isAddressForgeable({ app }: { readonly app: Trust }): boolean {
  return app.proxy && !(app.maxIpsCount > 0);
}

/** A host with an optional port, as browsers write it. */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether it is a well-formed host, with or without a port. A client can send any text as its `Host`. */
export function isHost(text: string): boolean {
  return HOST.test(text);
}

/** Whether the host of a URL, without a port, is this machine itself, which browsers trust without HTTPS. */
export function isLocalHost(host: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host);
}

/**
 * The pattern of the API's base URL, which panels configure. It is shown within shell commands, so no character of it may have
 * a meaning to a shell.
 */
export const API_URL_PATTERN =
  '^[hH][tT][tT][pP][sS]?://(?:[\\w.-]+|\\[[\\da-fA-F:.]+\\])(?::\\d{1,5})?(?!.*/api/v1/?$)(?:/[\\w.~%-]+)*/?$';

/** What such a URL must be. */
export const API_URL_RULE =
  'must be an http or https URL without /api/v1 and without a query, made of letters, digits and . _ ~ % -';

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

/** Whether the header `Origin` of a request names the host that it was sent to. */
export function isOwnOrigin(request: Pick<Sent, 'get' | 'host'> & { readonly protocol: string }): boolean {
  const origin = hostOf(request.get('Origin'));
  return origin !== null && origin === hostOf(`${request.protocol}://${request.host}`);
}

function hostOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).host || null : null;
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
const PATH = /^(?:\/[\w.~!$&'()*+;=:@%-]+)+$/;

/** Such a path, of which no character has a meaning to a shell, and slashes at its end. */
const PREFIX = /^((?:\/[\w.~%-]+)+)\/*$/;

/** Returns the path that a trusted proxy reports to have cut off; usually empty. A client may be able to write it. */
export function forwardedPrefix(request: Pick<Sent, 'app' | 'get'>): string {
  const parts = request.app.proxy ? request.get('X-Forwarded-Prefix').split(',') : [];
  return parts.map((part) => PREFIX.exec(part.trim())?.[1] ?? '').join('');
}

/**
 * Returns the path that the client sent: what a trusted proxy reports to have cut off, and the path before the panel's
 * mounts cut theirs off. A client may be able to write it, so it is only for the answer to itself.
 */
export function publicPath(request: Sent): string {
  const { path, originalUrl, req } = request;
  const [whole = ''] = String('originalUrl' in req ? req.originalUrl : originalUrl).split('?');
  return forwardedPrefix(request) + (PATH.test(whole) ? whole : path);
}

/** The path that clients see before that of the router; usually empty. */
export function publicPrefix(request: Sent): string {
  const whole = publicPath(request);
  return whole.endsWith(request.path) ? whole.slice(0, -request.path.length) : '';
}
