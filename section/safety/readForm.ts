import type { Context } from 'koa';
import { SectionFailure } from '../SectionFailure';

const LONGEST = 64 * 1024;
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
      if (length > LONGEST) throw new SectionFailure('form_too_long');
      chunks.push(chunk);
    }
  } catch (error) {
    // Whoever leaves while sending has no failure of ours.
    throw error instanceof SectionFailure ? error : new SectionFailure('form_unreadable');
  }
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
