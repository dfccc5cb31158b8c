import { isIP } from 'node:net';
import { canonicalAddress } from './addresses';

/** The longest address with the name of an interface, in characters; a client of a proxy can send any name. */
const LONGEST = 64;

/** The warning for administrators if clients can forge their address. */
export const FORGEABLE_ADDRESS =
  "Koa takes a client's address from the first entry of X-Forwarded-For, which the client can write itself: tokens bound to addresses are not safe. Let the panel set app.maxIpsCount to the number of its proxies.";

/**
 * The address that a request came from, in its one spelling; behind a trusted proxy, as the proxy reports it.
 * `unknown` if there is no address: over a Unix socket, or if the proxy reports something else.
 */
export function clientAddress({ ip }: { readonly ip: string }): string {
  return canonicalAddress(ip) ?? (isIP(ip) ? ip.slice(0, LONGEST) : 'unknown');
}

/**
 * Whether clients can write their address themselves: Koa takes the first one of `X-Forwarded-For`, unless
 * `app.maxIpsCount` says how many proxies have added one.
 */
export function isAddressForgeable({
  app,
}: {
  readonly app: { readonly proxy: boolean; readonly maxIpsCount: number };
}): boolean {
  return app.proxy && !(app.maxIpsCount > 0);
}
