import { constants } from 'node:http2';
import type { Context } from 'koa';
import { http2Stream } from './http2Stream';
import type { RequestState } from './RequestState';

/** Whether the client did not get the whole answer of a request that is over. */
export function wasAborted(ctx: Context, state: RequestState): boolean {
  const stream = http2Stream(ctx);
  // A response over HTTP/2 calls itself finished even where the client broke it off.
  const isWhole = stream
    ? stream.headersSent && stream.rstCode === constants.NGHTTP2_NO_ERROR
    : ctx.res.writableFinished;
  return state.broken !== undefined || !isWhole;
}

/** The status of a request that is over; null where it has none because nobody waited for it. */
export function answeredStatus(ctx: Context, state: RequestState): number | null {
  // Until it is answered a request has the status that Koa begins with, 404.
  return wasAborted(ctx, state) && !ctx.res.headersSent ? null : ctx.status;
}
