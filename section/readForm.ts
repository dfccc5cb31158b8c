import type { Context } from 'koa';
import { SectionFailure } from './SectionFailure';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_BYTES = 64 * 1024;

/**
 * How many bytes of a form that is too long are read and discarded. If the server closed the connection while the
 * client still sends, the client would never see the answer.
 */
const MAX_DISCARDED_BYTES = 16 * 1024 * 1024;

/** Returns the fields of the submitted form, even if a body parser of the panel has already read it. */
export async function readForm(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is(FORM_TYPE)) throw new SectionFailure('form_unreadable');
  // A parser for other media types sets an empty body and leaves the form unread.
  if (!ctx.req.readableDidRead) return new URLSearchParams(await readBody(ctx));
  return fieldsOfParsed((ctx.request as { body?: unknown }).body);
}

async function readBody(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of ctx.req) {
      length += chunk.length;
      if (length <= MAX_BYTES) chunks.push(chunk);
      if (length > MAX_DISCARDED_BYTES) break;
    }
  } catch {
    // The client disconnected while it was sending.
    throw new SectionFailure('form_unreadable');
  }
  if (length > MAX_BYTES) throw new SectionFailure('form_too_long');
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * koa-bodyparser and koa-body return a field as a text, or several of one name as an array; more than 20 of them as an
 * object of which the keys are the indexes.
 */
function fieldsOfParsed(body: unknown): URLSearchParams {
  if (typeof body !== 'object' || body === null) throw new SectionFailure('form_unreadable');
  const fields = Object.entries(body).flatMap(([name, value]) =>
    valuesOf(value).map((one): [string, string] => [name, typeof one === 'string' ? one : '']),
  );
  return new URLSearchParams(fields);
}

function valuesOf(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value];
}
