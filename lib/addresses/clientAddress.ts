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
