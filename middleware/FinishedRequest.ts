import { constants } from 'node:http2';
import type { Context } from 'koa';
import { http2Stream } from './http2Stream';
import type { RequestState } from './RequestState';

/** How a request ended: told once, to the log line, the counts of use and everything else that wants to know. */
export interface FinishedRequest {
  /** Null if the client left before it was sent any of the answer. */
  readonly status: number | null;
  /** Whether the client was not sent the whole answer. */
  readonly aborted: boolean;
  /** Bytes of the body that were sent. */
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Describes a request that is over, whose response is closed or has lost its connection. Must not throw. */
export function describeFinished(ctx: Context, state: RequestState, startedAt: number): FinishedRequest {
  const isWhole = state.broken === undefined && wasSent(ctx);
  const length = isWhole && ctx.method !== 'HEAD' ? Number(ctx.response.get('Content-Length')) || 0 : 0;
  return {
    // Until it is answered a request has the status that Koa begins with, 404.
    status: isWhole || wasBegun(ctx) ? ctx.status : null,
    aborted: !isWhole,
    bytes: state.sentBytes ?? length,
    milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
  };
}

function wasSent(ctx: Context): boolean {
  const stream = http2Stream(ctx);
  // Node takes the socket from a response that is finished. One that waits behind others never had any.
  if (!stream) return ctx.res.writableFinished && !ctx.res.socket;
  return stream.headersSent && stream.writableFinished && stream.rstCode === constants.NGHTTP2_NO_ERROR;
}

function wasBegun(ctx: Context): boolean {
  return ctx.res.headersSent && (http2Stream(ctx) !== undefined || ctx.res.socket !== null);
}
