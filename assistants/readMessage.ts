import type { Context } from 'koa';
import type { PlainText } from '../middleware/answerInEnvelope';
import { readBody } from '../middleware/readBody';

/** A message as it was parsed. The library checks what it contains. */
export interface Message {
  readonly message: object;
}

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
export async function readMessage(ctx: Context): Promise<Message | PlainText> {
  if (!JSON_TYPE.test(ctx.get('Content-Type')))
    return refusal(415, 'The content type must be application/json.');
  const text = await bodyText(ctx).catch(() => undefined);
  if (text === undefined) return refusal(400, 'The body was not received as a whole.', PARSE_ERROR);
  if (text === null || Buffer.byteLength(text) > MOST_BYTES)
    return refusal(413, 'A message may have at most 65,536 bytes.');
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return refusal(400, 'The body is not valid JSON.', PARSE_ERROR);
  }
  // Each would have to be counted.
  if (Array.isArray(message))
    return refusal(400, 'A request must contain one message, not an array of them.');
  if (typeof message !== 'object' || message === null) return refusal(400, 'A message is a JSON object.');
  return { message };
}

async function bodyText(ctx: Context): Promise<string | null> {
  if (!ctx.req.readableDidRead) return readBody(ctx, MOST_BYTES);
  return JSON.stringify((ctx.request as { body?: unknown }).body) ?? '';
}
