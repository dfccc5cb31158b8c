import type { ServerResponse } from 'node:http';
import type { Pieces } from '../lib/json/Pieces';
import { within } from '../lib/time/within';

/** A client may take a little of the answer at a time, but not nothing for ever. */
const SLICE_LENGTH = 2 ** 16;

/** The client took nothing of the answer for as long as a request may last. */
export class ClientStalled extends Error {
  override readonly name = 'ClientStalled';
}

/**
 * Writes the pieces as fast as the client takes them, and calls `sent` with the bytes of each part. Rejects with what
 * the pieces reject with, with what `late` makes when one of them takes longer than `patienceMs`, or with
 * ClientStalled; how the response then ends is for the caller to say.
 */
export async function sendPieces(
  response: ServerResponse,
  pieces: Pieces,
  { patienceMs, late, sent }: { patienceMs: number; late: () => Error; sent: (bytes: number) => void },
): Promise<void> {
  for (;;) {
    const { value, done } = await within(pieces.next(), patienceMs, late);
    if (done) break;
    const bytes = Buffer.from(value);
    for (let start = 0; start < bytes.length; start += SLICE_LENGTH) {
      if (response.closed || response.destroyed) return;
      const slice = bytes.subarray(start, start + SLICE_LENGTH);
      sent(slice.length);
      if (!response.write(slice)) await drained(response, patienceMs);
    }
  }
  response.end();
}

function drained(response: ServerResponse, patienceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      response.off('drain', go);
      response.off('close', go);
      act();
    };
    const go = settle(resolve);
    const timer = setTimeout(
      settle(() => reject(new ClientStalled())),
      patienceMs,
    );
    timer.unref();
    response.on('drain', go);
    response.on('close', go);
  });
}
