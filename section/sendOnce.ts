import { finished, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import { isOver } from '../middleware/responseEnds';
import { trusted } from './html';
import type { Page } from './Page';

/** The place in the content of a page at which its outcome is sent. */
export const OUTCOME = trusted('<!-- outcome -->');

/**
 * Returns the body that sends the page in `ctx.body` once. `outcome` is called when the page up to there was sent, and
 * `ifUnseen` if the connection closes before.
 */
export function sendOnce(ctx: Context, { ifUnseen, outcome }: Page): unknown {
  const { body, res } = ctx;
  if (isOver(ctx)) {
    void ifUnseen?.();
    return body;
  }
  let isShown = false;
  finished(res, (error) => {
    // If the panel sent another body, nothing has read this one.
    if (!isShown && (error || outcome)) void ifUnseen?.();
  });
  if (!outcome) return body;
  // Compression would hold the token back until the page ends.
  ctx.set('Cache-Control', 'no-store, no-transform');
  const [before, after = ''] = String(body).split(OUTCOME.text);
  const parts = async function* () {
    yield before;
    await untilSent(ctx);
    if (isOver(ctx)) return;
    isShown = true;
    yield (await outcome()).text + after;
  };
  return Readable.from(parts());
}

const PAUSE_MS = 10;

/** Resolves when the operating system has taken all that was written, or when the connection is closed. */
async function untilSent(ctx: Context): Promise<void> {
  // The body is read ahead of its writing.
  do await sleep(PAUSE_MS);
  while (!isOver(ctx) && ctx.res.writableLength > 0);
}
