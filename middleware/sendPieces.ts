import type { ServerResponse } from 'node:http';
import { withTimeout } from '../lib/async/withTimeout';
import type { Pieces } from '../lib/json/Pieces';

/** A client may take a little of the answer at a time, but not nothing for ever. */
const SLICE_LENGTH = 2 ** 16;

/**
 * How many times longer than the database a client may take to make room: the buffers of a connection hold megabytes,
 * and tell of no room before a third of them is free.
 */
const CLIENT_PATIENCE = 6;

/**
 * How many times longer than the database an answer may take as a whole. It holds a connection of the panel's pool, and
 * a picture of the database that grows older, for as long as its client is slow.
 */
const WHOLE_PATIENCE = 60;

/** The client took nothing of the answer for too long. */
export class ClientStalled extends Error {
  override readonly name: string = 'ClientStalled';
}

/** The client took too long for the whole of the answer. */
export class ClientTooSlow extends ClientStalled {
  override readonly name = 'ClientTooSlow';
}

interface Sending {
  readonly patienceMs: number;
  /** Aborted when the response is closed, which only HTTP/1 tells of its own accord. */
  readonly over: AbortSignal;
  readonly late: () => Error;
  readonly sent: (bytes: number) => void;
}

/**
 * Writes the pieces as fast as the client takes them, and calls `sent` with the bytes of each part. Rejects with what
 * the pieces reject with, with what `late` makes when one of them takes longer than `patienceMs`, with ClientStalled or
 * ClientTooSlow, or with the reason of `over`; how the response then ends is for the caller to say.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Pieces,
  { patienceMs, over, late, sent }: Sending,
): Promise<void> {
  const until = performance.now() + patienceMs * WHOLE_PATIENCE;
  for (;;) {
    const { value, done } = await withTimeout(pieces.next(), patienceMs, late);
    if (done) break;
    const bytes = Buffer.from(value);
    for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
      over.throwIfAborted();
      if (performance.now() > until) throw new ClientTooSlow();
      const slice = bytes.subarray(start, start + SLICE_LENGTH);
      sent(slice.length);
      if (!response.write(slice)) await drained(response, over, patienceMs);
    }
  }
  response.end();
}

// Written by hand, for it happens with nearly every slice: what `events.once` makes of a signal costs more than the rest.
function drained(response: ServerResponse, over: AbortSignal, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      response.off('drain', drain);
      over.removeEventListener('abort', leave);
      act();
    };
    const drain = settle(resolve);
    const leave = settle(() => reject(over.reason));
    const stall = settle(() => reject(new ClientStalled()));
    const timer = setTimeout(stall, patienceMs * CLIENT_PATIENCE).unref();
    response.on('drain', drain);
    over.addEventListener('abort', leave);
    if (over.aborted) leave();
  });
}
