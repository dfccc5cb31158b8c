import { randomUUID } from 'node:crypto';
import { Cancellation, REQUEST_OVER } from '../async/Cancellation';
import type { ApiError } from '../errors/ApiError';
import type { TokenRecord } from '../tokens/TokenRecord';
import { withoutTokens } from '../tokens/tokenFormat';
import type { Endpoint } from './Endpoint';
import type { RateLimitState, RequestContext } from './RequestContext';

const REQUEST_ID = /^[\w.-]{1,128}$/;

/** A request as it arrives, before anything is looked up. */
export interface Arrival extends Omit<RequestContext, 'token' | 'rateLimit'> {
  /** Names the request in the log and in its answer. */
  readonly id: string;
  /** The method of HTTP; null if the request did not come over HTTP. */
  readonly method: string | null;
  /** What it asks for, as the mount serves it, and never as the client named it; null if there is no such endpoint. */
  readonly endpoint: Endpoint | null;
  /** Whether the address comes from a header and not from the connection. */
  readonly addressForwarded: boolean;
}

/** The id of a request: the one that it was given if that is fit for the log and holds no token, else a random one. */
export function requestId(given: string | undefined): string {
  return given !== undefined && REQUEST_ID.test(given) && withoutTokens(given) === given
    ? given
    : randomUUID();
}

/** How much of its answer a client was sent. */
export interface Delivery {
  /** Null if nothing of the answer was sent. */
  readonly status: number | null;
  /** Whether the client was not sent the whole answer. */
  readonly aborted: boolean;
  /** Bytes of the body that were sent. */
  readonly bytes: number;
}

/** A request that is over. Each listener is told of it once. */
export interface FinishedRequest {
  readonly arrival: Arrival;
  readonly delivery: Delivery;
  /** The token as far as it was found by then, also if it was refused. */
  readonly token: TokenRecord | null;
  /**
   * The token if the request was authenticated, which may be later than its end, as after the deadline. Never settles
   * for a request that is refused before.
   */
  readonly authenticated: Promise<TokenRecord>;
  /** Why the request was refused or failed; null if it was not. */
  readonly error: ApiError | null;
  /** Why the answer was broken off; undefined if it was not. */
  readonly broken: unknown;
  readonly milliseconds: number;
}

/** Is told of every request that is over. If it throws or rejects, neither the request nor other listeners notice. */
export type RequestListener = (request: FinishedRequest) => unknown;

/** The requests of one mount that are not over. */
export class RequestsUnderWay {
  readonly #listeners: readonly RequestListener[];
  readonly #listenerFailed: (error: unknown) => void;
  #count = 0;

  /**
   * Each listener is told of every request that is over. What a listener throws is handed to `listenerFailed`, which
   * must not throw.
   */
  constructor(listeners: readonly RequestListener[], listenerFailed: (error: unknown) => void) {
    this.#listeners = listeners;
    this.#listenerFailed = listenerFailed;
  }

  get count(): number {
    return this.#count;
  }

  /** A request has arrived with this bearer token. Its `finish` must be called. */
  open(arrival: Arrival, bearer: string | null): ApiRequest {
    this.#count += 1;
    return new ApiRequest(arrival, bearer, (finished) => {
      this.#count -= 1;
      for (const listener of this.#listeners) void this.#tell(listener, finished);
    });
  }

  async #tell(listener: RequestListener, finished: FinishedRequest): Promise<void> {
    try {
      await listener(finished);
    } catch (error) {
      this.#listenerFailed(error);
    }
  }
}

/**
 * One request from its arrival to its end. The steps write into it what its listeners and the head of its answer tell;
 * no step reads what another wrote, for each is given what the one before it returned.
 */
export class ApiRequest {
  readonly arrival: Arrival;
  /** What the request says is its token; null if it says nothing, and an empty text if it contradicts itself. */
  readonly bearer: string | null;
  /** Ended when the request is answered, has failed, or its client has left. */
  readonly cancellation = new Cancellation();
  /** The token as it was found, even if it is refused. */
  token: TokenRecord | null = null;
  rateLimit: RateLimitState | null = null;
  error: ApiError | null = null;
  /** Why the answer was broken off; undefined if it was not. */
  broken: unknown;
  /** What was sent of an answer that is a stream; null if it is none. */
  streamedBytes: number | null = null;
  readonly #startedAt = performance.now();
  readonly #finished: (request: FinishedRequest) => void;
  #isFinished = false;
  readonly #authenticated: Promise<TokenRecord>;
  #resolveAuthenticated: (token: TokenRecord) => void = () => undefined;

  constructor(arrival: Arrival, bearer: string | null, finished: (request: FinishedRequest) => void) {
    this.arrival = arrival;
    this.bearer = bearer;
    this.#finished = finished;
    this.#authenticated = new Promise((resolve) => {
      this.#resolveAuthenticated = resolve;
    });
  }

  /** The token is good: the request counts as a use of it from now on. */
  authenticated(token: TokenRecord): void {
    this.#resolveAuthenticated(token);
  }

  /** The request is refused or has failed, and nothing more is done for it. */
  fail(error: ApiError): void {
    this.error = error;
    this.cancellation.end(error);
  }

  /** The request is over. Only the first call counts. */
  finish(delivery: Delivery): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.cancellation.end(REQUEST_OVER);
    this.#finished({
      arrival: this.arrival,
      delivery,
      token: this.token,
      authenticated: this.#authenticated,
      error: this.error,
      broken: this.broken,
      milliseconds: Math.round((performance.now() - this.#startedAt) * 1000) / 1000,
    });
  }
}
