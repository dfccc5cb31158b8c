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

/** An authenticated and counted request, as an operation sees it. */
export interface RequestContext {
  readonly token: TokenRecord;
  readonly rateLimit: RateLimitState;
  readonly clientIp: string;
  readonly addressForgeable: boolean;
  /** The path that clients see before `/api/v1`; usually empty. See `publicPrefix`. */
  readonly prefix: string;
  /** The origin to which the client sent the request; null if it is not known. See `requestOrigin`. */
  readonly origin: string | null;
  /** Whether the request was sent over HTTPS, as far as the panel's Koa knows. */
  readonly secure: boolean;
  /** The parameters that the operation declares, as far as the request sets them. */
  readonly parameters: Readonly<Record<string, string>>;
}
