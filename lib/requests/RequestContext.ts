import type { TokenRecord } from '../tokens/TokenRecord';

/** How much of its limit a token has used in the current window. */
export interface RateLimitState {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly secondsLeft: number;
  /** When the window resets, in seconds since 1970. */
  readonly resetsAt: number;
}

/** A request that was authenticated and counted, as an operation sees it. */
export interface RequestContext {
  readonly token: TokenRecord;
  readonly rateLimit: RateLimitState;
  readonly clientIp: string;
  /** Whether clients can write their address themselves. */
  readonly addressForgeable: boolean;
  /** The path below which the panel mounted the API, as koa-mount does; usually empty. */
  readonly mountPath: string;
  /** Whether the request came over HTTPS, as far as the panel's Koa can tell. */
  readonly secure: boolean;
}
