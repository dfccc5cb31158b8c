import { constants } from 'node:http2';
import type { Context } from 'koa';
import { asApiError } from '../lib/errors/asApiError';
import { REQUEST_OVER, RequestOver } from '../lib/errors/RequestOver';
import type { Pieces } from '../lib/json/Pieces';
import { http2Stream } from './http2Stream';
import { requestState } from './RequestState';
import { ClientStalled, sendPieces } from './sendPieces';

/**
 * Sends the answer past Koa, which would hand a stream's failure to the panel's error handling, and breaks the
 * connection where it cannot be finished: nobody may take half of a list for the whole.
 */
export async function answerInPieces(
  ctx: Context,
  pieces: Pieces,
  { patienceMs, late }: { patienceMs: number; late: () => Error },
): Promise<void> {
  const state = requestState(ctx);
  const { res } = ctx;
  ctx.respond = false;
  ignoreClient(ctx);
  state.sentBytes = 0;
  try {
    if (ctx.method === 'HEAD') {
      res.end();
      return;
    }
    await sendPieces(res, pieces, {
      patienceMs,
      over: state.end.signal,
      late,
      sent: (bytes) => {
        state.sentBytes = (state.sentBytes ?? 0) + bytes;
      },
    });
  } catch (error) {
    if (!(error instanceof ClientStalled || error instanceof RequestOver)) state.error = asApiError(error);
    state.broken = error;
    breakOff(ctx);
  } finally {
    state.end.come(REQUEST_OVER);
    pieces.return().catch(() => undefined);
  }
}

/** Koa would report to the panel's error handling each client that resets the connection before it has read all. */
function ignoreClient(ctx: Context): void {
  const { onerror } = ctx;
  const connection = http2Stream(ctx) ?? ctx.socket;
  ctx.onerror = (error) => {
    if (error !== connection.errored) onerror.call(ctx, error);
  };
}

function breakOff(ctx: Context): void {
  const stream = http2Stream(ctx);
  if (stream) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else ctx.res.destroy();
}
