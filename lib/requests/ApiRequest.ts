import { randomUUID } from 'node:crypto';
import { Cancellation, REQUEST_OVER } from '../async/Cancellation';
import type { ApiError } from '../errors/ApiError';
import type { FoundToken } from '../tokens/TokenLookup';
import { withoutTokens } from '../tokens/tokenFormat';
import type { Endpoint, RateLimitState, RequestContext } from './Endpoint';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** A request as it arrives, before anything was looked up. */
export interface Arrival extends Omit<RequestContext, 'token' | 'rateLimit' | 'parameters'> {
  /** Identifies the request in the log and in its answer. */
  readonly id: string;
  readonly method: string;
  /** The endpoint as the mount serves it, never as the client wrote it; null for an unknown path. */
  readonly endpoint: Endpoint | null;
  /** Whether the address is from a header instead of the connection. */
  readonly addressForwarded: boolean;
}

/**
 * Returns the id of a request: the given one if it is fit for the log and contains no token, with or without its prefix,
 * otherwise a random one.
 */
export function requestId(given: string | undefined, tokenPrefix: string): string {
  const isFit = given !== undefined && REQUEST_ID.test(given) && withoutTokens(given, tokenPrefix) === given;
  return isFit ? given : randomId();
}

function randomId(): string {
  try {
    return randomUUID();
  } catch {
    // The system has no randomness. The id is no secret.
    return String(Math.random());
  }
}

/** How much of its answer a client was sent. */
export interface Delivery {
  /** Null if nothing of the answer was sent. */
  readonly status: number | null;
  /** Whether the client was not sent the whole answer. */
  readonly aborted: boolean;
  /** Bytes of the body that the module sent. Middleware of the panel may have compressed them. */
  readonly bytes: number;
}

interface TokenUse {
  readonly token: FoundToken;
  /** The client's address; null if the settings forbid to store it. */
  readonly address: string | null;
}

/**
 * Called once for each request that has ended. If it throws or rejects, no request and no other listener is affected.
 */
export type RequestListener = (request: ApiRequest, delivery: Delivery) => unknown;

/** The open requests of one mount. */
export class RequestsUnderWay {
  readonly #listeners: readonly RequestListener[];
  readonly #listenerFailed: (error: unknown) => void;
  #count = 0;

  /** `listenerFailed` is called with each error of a listener. It must not throw. */
  constructor(listeners: readonly RequestListener[], listenerFailed: (error: unknown) => void) {
    this.#listeners = listeners;
    this.#listenerFailed = listenerFailed;
  }

  count(): number {
    return this.#count;
  }

  /** Creates a request with this bearer token. Its `finish` must be called. */
  open(arrival: Arrival, bearer: string | null): ApiRequest {
    this.#count += 1;
    return new ApiRequest(arrival, bearer, (...finished) => {
      this.#count -= 1;
      for (const listener of this.#listeners)
        (async () => listener(...finished))().catch(this.#listenerFailed);
    });
  }
}

/**
 * One request from its arrival to its end. It may end at any time, for example because its client disconnects. So each
 * step records here, as soon as it is known, what the listeners and the headers show. No step reads these records: each
 * receives the result of the previous one.
 */
export class ApiRequest {
  readonly arrival: Arrival;
  /** The request's token; null if there is none, an empty text if there are several. */
  readonly bearer: string | null;
  /** Ended when the request is answered, has failed, or its client has disconnected. */
  readonly cancellation = new Cancellation();
  /** The token that was found, even if it was refused. */
  token: FoundToken | null = null;
  /** The name of the tool that it calls, one of the module's own. */
  tool: string | null = null;
  rateLimit: RateLimitState | null = null;
  error: ApiError | null = null;
  /** Why the answer was broken off; undefined if it was not. */
  broken: unknown;
  /** The bytes of the body of an answer that is no stream. */
  bufferedBytes = 0;
  /** How many bytes of a streamed answer were sent; null if the answer is no stream. */
  streamedBytes: number | null = null;
  readonly #startedAt = performance.now();
  readonly #finished: RequestListener;
  #isFinished = false;
  /** Records that the token is valid: from now on the request counts as a use of it. */
  authenticated: (use: TokenUse) => void = () => undefined;
  /**
   * Resolves when the request is authenticated, which may be after its end if the deadline passed. Never settles for a
   * request that is refused before.
   */
  readonly use = new Promise<TokenUse>((resolve) => {
    this.authenticated = resolve;
  });

  /** `finished` is called when the request is over. */
  constructor(arrival: Arrival, bearer: string | null, finished: RequestListener) {
    this.arrival = arrival;
    this.bearer = bearer;
    this.#finished = finished;
  }

  get milliseconds(): number {
    return Math.round((performance.now() - this.#startedAt) * 1000) / 1000;
  }

  /** Records that the request was refused or has failed, and ends its work. */
  fail(error: ApiError): void {
    this.error = error;
    this.cancellation.end(error);
  }

  /** Ends the request and calls the listeners. Only the first call has an effect. */
  finish(delivery: Delivery): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.cancellation.end(REQUEST_OVER);
    this.#finished(this, delivery);
  }
}
