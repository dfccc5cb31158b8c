import type { Context } from 'koa';
import type { RequestState } from './RequestState';

/** Whether the client did not get the whole answer of a request that is over. */
export function wasAborted(ctx: Context, state: RequestState): boolean {
  // A stream of HTTP/2 is finished even where it was broken off.
  return state.broken !== undefined || !ctx.res.writableFinished;
}

/** The status of a request that is over; null where it has none because nobody waited for it. */
export function answeredStatus(ctx: Context, state: RequestState): number | null {
  // Until it is answered a request has the status that Koa begins with, 404.
  return wasAborted(ctx, state) && !ctx.res.headersSent ? null : ctx.status;
}
