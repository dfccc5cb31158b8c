import type { Context } from 'koa';
import { parsedBody, readBody } from '../middleware/readBody';
import { SectionFailure } from './SectionFailure';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_BYTES = 64 * 1024;

/** Returns the fields of the submitted form, even if a body parser of the panel has already read it. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is(FORM_TYPE)) throw new SectionFailure('form_unreadable');
  // A parser for other media types sets an empty body and leaves the form unread.
  if (ctx.req.readableDidRead) return fieldsOfParsed(parsedBody(ctx));
  const text = await readBody(ctx, MAX_BYTES).catch(() => {
    throw new SectionFailure('form_unreadable');
  });
  if (text === null) throw new SectionFailure('form_too_long');
  return new URLSearchParams(text);
}

/**
 * Parsers of texts and of bytes leave the form as it was sent. koa-bodyparser and koa-body return a field as a text, or
 * several of one name as an array; more than 20 of them as an object of which the keys are the indexes.
 */
function fieldsOfParsed(body: unknown): URLSearchParams {
  if (typeof body === 'string') return new URLSearchParams(body);
  if (typeof body !== 'object' || body === null) throw new SectionFailure('form_unreadable');
  const fields = Object.entries(body).flatMap(([name, value]) => {
    const values = typeof value === 'object' && value !== null ? Object.values(value) : [value];
    return values.map((one): [string, string] => [name, typeof one === 'string' ? one : '']);
  });
  return new URLSearchParams(fields);
}
