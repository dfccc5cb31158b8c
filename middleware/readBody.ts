import type { Context } from 'koa';
import { toJson } from '../lib/json/json';

/**
 * How many bytes of a body that is too long are read and discarded. If the server closed the connection while the
 * client still sends, the client would never see the answer.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/**
 * Returns the body of a request as text, or as the value that a body parser of the panel left if it left no text; null if
 * it is longer than so many bytes. Rejects if the client disconnects while it is sending.
 */
export async function readBody(ctx: Context, mostBytes: number): Promise<unknown> {
  if (ctx.req.readableDidRead) return parsedBody(ctx.request, mostBytes);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of ctx.req) {
    length += chunk.length;
    if (length <= mostBytes) chunks.push(chunk);
    if (length > MAX_DISCARDED_BYTES) break;
  }
  return length > mostBytes ? null : Buffer.concat(chunks).toString('utf8');
}

/** Parsers of raw bodies and of texts leave these as the body; others may keep them in `rawBody`. */
function parsedBody(request: object, mostBytes: number): unknown {
  const { body, rawBody } = request as { body?: unknown; rawBody?: unknown };
  const raw = [rawBody, body].find((one) => typeof one === 'string' || one instanceof Uint8Array);
  const text = raw === undefined ? (toJson(body) ?? '') : Buffer.from(raw as string).toString('utf8');
  if (Buffer.byteLength(text) > mostBytes) return null;
  return raw === undefined ? body : text;
}
