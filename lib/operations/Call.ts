import type { TokenRecord } from '../tokens/TokenRecord';

/** Where a token stands in its window. */
export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly secondsLeft: number;
  /** When the window resets, in seconds since 1970. */
  readonly resetsAt: number;
}

/** One authenticated request, as far as an operation may know it. */
export interface Call {
  readonly token: TokenRecord;
  readonly rateLimit: RateLimitState;
  readonly clientIp: string;
  /** Whether clients can write their address themselves. */
  readonly addressForgeable: boolean;
  /** Where the panel mounted the API below its own root, as koa-mount does; empty as a rule. */
  readonly mountPath: string;
  /** Whether the request came over HTTPS, as far as the panel's Koa can tell. */
  readonly secure: boolean;
}

/** What an administrator is told if clients can forge their address. */
export const FORGEABLE_ADDRESS =
  "Koa takes a client's address from the first entry of X-Forwarded-For, which the client can write itself: tokens bound to addresses are not safe. Let the panel set app.maxIpsCount to the number of its proxies.";
