import type { Context } from 'koa';
import { parseJson, toJson } from '../lib/json/json';
import type { PlainText } from '../middleware/answerInEnvelope';
import { parsedBody, readBody } from '../middleware/readBody';
import { isRounded } from './values';

/** A message as it was parsed. The library checks what it contains. */
export type Message = Readonly<Record<string, unknown>>;

const MOST_BYTES = 64 * 1024;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

// Codes of JSON-RPC.
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** An error in the form of JSON-RPC, which the clients of the protocol read. */
export function refusal(status: number, message: string, code = INVALID_REQUEST): PlainText {
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });
  return { status, contentType: 'application/json', text };
}

/** Returns the one message of a request, even if a body parser of the panel has already read it, or why there is none. */
export async function readMessage(ctx: Context): Promise<{ readonly message: Message } | PlainText> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')))
    return refusal(415, 'The content type must be application/json.');
  if (!ctx.accepts('application/json', 'application/json; charset=utf-8'))
    return refusal(406, 'The answer is application/json, which the header Accept must allow.');
  const text = await bodyText(ctx).catch(() => undefined);
  if (text === undefined) return refusal(400, 'The body was not received as a whole.', PARSE_ERROR);
  if (text === null || Buffer.byteLength(text) > MOST_BYTES)
    return refusal(413, 'A message may have at most 65,536 bytes.');
  const message = parseJson(text);
  if (message === undefined) return refusal(400, 'The body is not valid JSON.', PARSE_ERROR);
  // Each would have to be counted.
  if (Array.isArray(message))
    return refusal(400, 'A request must contain one message, not an array of them.');
  if (typeof message !== 'object' || message === null) return refusal(400, 'A message is a JSON object.');
  if (isRounded((message as Message).id))
    return refusal(400, 'The id of a message must be a text, or a whole number up to 9,007,199,254,740,991.');
  return { message: message as Message };
}

async function bodyText(ctx: Context): Promise<string | null> {
  if (!ctx.req.readableDidRead) return readBody(ctx, MOST_BYTES);
  const body = parsedBody(ctx);
  return typeof body === 'string' ? body : (toJson(body) ?? '');
}
