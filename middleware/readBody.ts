import type { Context } from 'koa';

/**
 * How many bytes of a body that is too long are read and discarded. If the server closed the connection while the
 * client still sends, the client would never see the answer.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** Returns what a body parser of the panel left: text, also if it kept bytes, or a value. */
export function parsedBody(ctx: Context): unknown {
  const { body } = ctx.request as { body?: unknown };
  return body instanceof Uint8Array ? Buffer.from(body).toString('utf8') : body;
}

/**
 * Returns the body of a request as text; null if it is longer than so many bytes. Rejects if the client disconnects
 * while it is sending.
 */
export async function readBody(ctx: Context, mostBytes: number): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of ctx.req) {
    length += chunk.length;
    if (length <= mostBytes) chunks.push(chunk);
    if (length > MAX_DISCARDED_BYTES) break;
  }
  return length > mostBytes ? null : Buffer.concat(chunks).toString('utf8');
}
