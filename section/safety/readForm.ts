import type { Context } from 'koa';
import { SectionFailure } from '../SectionFailure';

/** Bytes that a form may have. */
const LONGEST = 64 * 1024;

/**
 * Bytes that are read of a form that is too long. A connection that is closed while the client still sends is reset,
 * and the client never sees why.
 */
const MOST_DISCARDED = 16 * 1024 * 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The fields of the form that the request carries, also where a body parser of the panel's has read it already. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is(FORM_TYPE)) throw new SectionFailure('form_unreadable');
  // A parser of other media types leaves an empty body and the form itself unread.
  if (!ctx.req.readableDidRead) return new URLSearchParams(await readBody(ctx));
  return parsedBody((ctx.request as { body?: unknown }).body);
}

async function readBody(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of ctx.req) {
      length += chunk.length;
      if (length <= LONGEST) chunks.push(chunk);
      if (length > MOST_DISCARDED) break;
    }
  } catch {
    // The client left while it was sending.
    throw new SectionFailure('form_unreadable');
  }
  if (length > LONGEST) throw new SectionFailure('form_too_long');
  return Buffer.concat(chunks).toString('utf8');
}

/** Fields as koa-bodyparser and koa-body give them: a text, or several of one name. */
function parsedBody(body: unknown): URLSearchParams {
  if (typeof body !== 'object' || body === null) throw new SectionFailure('form_unreadable');
  const fields = Object.entries(body).flatMap(([name, value]) =>
    [value].flat().map((one: unknown): [string, string] => [name, typeof one === 'string' ? one : '']),
  );
  return new URLSearchParams(fields);
}
