import { isIP } from 'node:net';
import type { Context } from 'koa';
import { canonicalAddress } from '../lib/addresses/addresses';

/** An address and the name of an interface; a proxy may be told anything for that. */
const LONGEST = 64;

/**
 * Where a request came from, in the one spelling of its address; behind a trusted proxy it is whatever the proxy was
 * told. `unknown` where there is no address: over a Unix socket, or from a proxy that says nonsense.
 */
export function clientAddress({ ip }: Pick<Context, 'ip'>): string {
  return canonicalAddress(ip) ?? (isIP(ip) ? ip.slice(0, LONGEST) : 'unknown');
}

/**
 * Whether clients can write their address themselves: Koa takes the first one of `X-Forwarded-For`, unless
 * `app.maxIpsCount` says how many proxies have added one.
 */
export function isAddressForgeable({ app }: Pick<Context, 'app'>): boolean {
  return app.proxy && !(app.maxIpsCount > 0);
}
