import type { Context } from 'koa';
import { REQUEST_OVER, RequestOver } from '../lib/async/Cancellation';
import { withTimeout } from '../lib/async/withTimeout';
import type { ApiRequest } from '../lib/requests/ApiRequest';
import { asApiError, deadlineError } from '../lib/requests/asApiError';
import { handleErrors, passOn } from './contextErrors';
import { breakOff, connectionOf } from './responseEnds';

/** After this many bytes, the client's time limit starts again: a slow client is served, a stalled one is not. */
const SLICE_LENGTH = 2 ** 16;

/**
 * A client may take this many times longer than the database: the buffers of a connection hold megabytes, and report no
 * room before a third of them is free.
 */
const CLIENT_PATIENCE = 6;

/**
 * The whole answer may take this many times longer than the database. While a client is slow, it occupies a connection
 * of the panel's pool and an old snapshot of the database.
 */
const WHOLE_PATIENCE = 60;

/** A stream between two texts. */
export interface LongText {
  readonly head: string;
  readonly stream: AsyncGenerator<string, unknown, undefined>;
  readonly tail: string;
}

/** The client accepted no data for too long. */
export class ClientStalled extends Error {
  override readonly name: string = 'ClientStalled';
}

/** The client took too long for the whole answer. */
export class ClientTooSlow extends ClientStalled {
  override readonly name = 'ClientTooSlow';
}

/**
 * Sends the answer without Koa, which would pass a stream's failure to the panel's error handling, and as fast as the
 * client accepts it. If the answer cannot be completed, the connection is closed, so that no client mistakes a part of a
 * list for the whole: if the stream fails, if a part of it takes longer than `patienceMs`, or if the client is too slow.
 */
export async function streamAnswer(
  ctx: Context,
  request: ApiRequest,
  { head, stream, tail }: LongText,
  patienceMs: number,
): Promise<void> {
  ctx.respond = false;
  handleErrors(ctx, ignoreClient);
  request.streamedBytes = 0;
  // Aborted when the response is closed. HTTP/2 does not report that by itself.
  const over = request.cancellation.signal;
  const until = performance.now() + patienceMs * WHOLE_PATIENCE;
  const waiting: Waiting = { drained: () => undefined };
  // One listener for the whole answer: Express' compression keeps each.
  ctx.res.on('drain', () => waiting.drained());
  const send = async (text: string) => {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
      over.throwIfAborted();
      if (performance.now() > until) throw new ClientTooSlow();
      const slice = bytes.subarray(start, start + SLICE_LENGTH);
      request.streamedBytes = (request.streamedBytes ?? 0) + slice.length;
      if (!ctx.res.write(slice)) await drained(waiting, over, patienceMs);
    }
  };
  try {
    if (ctx.method !== 'HEAD') {
      await send(head);
      for (;;) {
        const { value, done } = await withTimeout(stream.next(), patienceMs, deadlineError);
        if (done) break;
        await send(value);
      }
      await send(tail);
    }
    ctx.res.end();
  } catch (error) {
    if (!(error instanceof ClientStalled || error instanceof RequestOver)) request.error = asApiError(error);
    request.broken = error;
    breakOff(ctx);
  } finally {
    request.cancellation.end(REQUEST_OVER);
    stream.return(undefined).catch(() => undefined);
  }
}

/** Koa would report every client that resets the connection too early to the panel's error handling. */
function ignoreClient(this: Context, error: Error): void {
  // A finished response has no socket any more.
  const connection: { readonly errored?: Error | null } | null = connectionOf(this);
  if (error !== connection?.errored) passOn(this, error);
}

interface Waiting {
  /** Called when the response has room again. */
  drained(): void;
}

// Written by hand because nearly every slice needs it: the signal of `events.once` would cost more than the rest.
function drained(waiting: Waiting, over: AbortSignal, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      over.removeEventListener('abort', leave);
      act();
    };
    waiting.drained = settle(resolve);
    const leave = settle(() => reject(over.reason));
    const stall = settle(() => reject(new ClientStalled()));
    const timer = setTimeout(stall, patienceMs * CLIENT_PATIENCE).unref();
    over.addEventListener('abort', leave);
    if (over.aborted) leave();
  });
}
