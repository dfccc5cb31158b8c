import type { ApiError } from '../lib/errors/ApiError';
import type { ListQuery } from '../lib/lists/ListQuery';
import type { Body } from '../lib/operations/Body';
import type { Call, RateLimitState } from '../lib/operations/Call';
import type { RequestEnd } from '../lib/operations/RequestEnd';
import type { RequestSettings } from '../lib/settings/Setting';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { FinishedRequest } from './FinishedRequest';

/** What the module knows about the request at hand, kept under one key of the panel's `ctx.state`. */
export interface RequestState {
  readonly id: string;
  /** The endpoint's path; null where there is none. */
  readonly route: string | null;
  readonly clientIp: string;
  /** Whether clients can write their address themselves. */
  readonly addressForgeable: boolean;
  /** Whether the address comes from a header and not from the connection. */
  readonly addressForwarded: boolean;
  readonly secure: boolean;
  readonly mountPath: string;
  settings?: RequestSettings;
  token?: TokenRecord;
  /** Settled when the request was counted; rejects where it is refused for that. */
  counted?: Promise<void>;
  rateLimit?: RateLimitState;
  readonly end: RequestEnd;
  /** Resolves once when the request is over, whatever becomes of its connection. Never rejects. */
  readonly finished: Promise<FinishedRequest>;
  /** What it asks of a list. */
  query?: ListQuery;
  /** What the operation gave: the answer's `data` and its message. */
  result?: { readonly message: string; readonly body: Body };
  error?: ApiError;
  /** What was sent of an answer in pieces. */
  sentBytes?: number;
  /** Whether the answer was begun and could not be finished. */
  broken?: unknown;
}

interface WithState {
  readonly state: { panelApi?: RequestState };
}

export function requestState(ctx: WithState): RequestState {
  if (!ctx.state.panelApi) throw new Error('The request has not been through logRequest.');
  return ctx.state.panelApi;
}

/** Whose request it is, after authentication. */
export function tokenOf(ctx: WithState): TokenRecord {
  const { token } = requestState(ctx);
  if (!token) throw new Error('The request has not been authenticated.');
  return token;
}

/** The request as an operation sees it, after authentication and counting. */
export function callOf(ctx: WithState): Call {
  const { token, rateLimit, clientIp, addressForgeable, secure, mountPath } = requestState(ctx);
  if (!token || !rateLimit) throw new Error('The request has not been authenticated and counted.');
  return { token, rateLimit, clientIp, addressForgeable, secure, mountPath };
}
