import type { TokenRecord } from '../tokens/TokenRecord';

/** The state of a token's window after a request was counted. */
export interface Hit {
  /** Requests of the token in this window, including this one. */
  readonly hits: number;
  /** Whole seconds until the window resets, at least 1. */
  readonly secondsLeft: number;
  /** When the window resets, in seconds since 1970. */
  readonly resetsAt: number;
}

/** The token of a request that is counted. */
export interface Counted extends Pick<TokenRecord, 'id' | 'readAt'> {
  /** The client's address, which is stored with the last use; null stores none. */
  readonly address: string | null;
}

/** Counts requests per token in fixed windows, and stores when each token was last used, and from which address. */
export interface Limiter {
  /** Counts one request in the token's current window of this length. Rejects if the store or the database fails. */
  count(token: Counted, windowSeconds: number): Promise<Hit>;
  /** Rejects if the store cannot be reached. */
  probe(): Promise<void>;
}
