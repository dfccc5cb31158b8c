import type { Context } from 'koa';
import { publicPath } from '../lib/addresses/requestOrigin';
import { withTimeout } from '../lib/async/withTimeout';
import type { ApiError } from '../lib/errors/ApiError';
import { errorRow } from '../lib/errors/errorCodes';
import type { Body } from '../lib/json/Body';
import type { ApiRequest } from '../lib/requests/ApiRequest';
import { asApiError, deadlineError } from '../lib/requests/asApiError';
import type { RateLimitState } from '../lib/requests/Endpoint';
import { rfc3339, rfc3339OfSeconds } from '../lib/time/time';
import type { RequestToken } from '../lib/tokens/TokenRecord';
import { EXPIRING_SECONDS, endsWithin } from '../lib/tokens/tokenWarnings';
import { protectAnswers } from './protectAnswers';
import { type LongText, streamAnswer } from './streamAnswer';

const LONGEST_LINK = 4096;

const CONTENT_TYPE = 'application/json; charset=utf-8';

/** The content of an answer: without the envelope, or a text that has none. */
export type AnswerContent = ToEnvelope | PlainText;

interface ToEnvelope {
  readonly message: string;
  readonly body: Body;
}

export interface PlainText {
  /** Default 200. */
  readonly status?: number;
  readonly contentType: string;
  readonly text: string;
}

/**
 * Turns the result or error of `next` into the envelope, within the deadline. No other code writes the
 * answer, so a late result changes nothing. No error reaches the panel's own error handling.
 */
export function answerInEnvelope(deadlineMs: number) {
  const protect = protectAnswers();
  return async (ctx: Context, request: ApiRequest, next: () => Promise<AnswerContent>): Promise<void> => {
    let content: EncodedContent;
    try {
      content = succeed(ctx, await withTimeout(next(), deadlineMs, deadlineError));
    } catch (thrown) {
      const error = asApiError(thrown);
      request.fail(error);
      content = refuse(ctx, error);
    }
    ctx.set('Cache-Control', 'no-store');
    // Some frameworks replace the header before.
    ctx.set('CDN-Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (request.rateLimit) ctx.set(rateLimitHeaders(request.rateLimit));
    if (request.token) ctx.set(expiryHeader(request.token));
    if (content === null || Buffer.isBuffer(content)) {
      // Node sends the head before a Buffer also before the `100 Continue` of a pipelined request, and the body after it.
      ctx.body = ctx.get('Expect') === '' ? content : content?.toString();
      if (ctx.method !== 'HEAD') request.bufferedBytes = content?.length ?? 0;
      protect(ctx);
    } else {
      await streamAnswer(ctx, request, content, deadlineMs);
    }
  };
}

/** The text, or null if the client already has this data. */
type EncodedContent = Buffer | LongText | null;

function succeed(ctx: Context, answer: AnswerContent): EncodedContent {
  if ('text' in answer) {
    ctx.status = answer.status ?? 200;
    ctx.set('Content-Type', answer.contentType);
    return Buffer.from(answer.text);
  }
  const { message, body } = answer;
  const head = `{"success":true,"message":${JSON.stringify(message)},"data":`;
  const tail = `,"timestamp":"${rfc3339(new Date())}"}`;
  ctx.status = 200;
  if ('stream' in body) {
    ctx.set('Content-Type', CONTENT_TYPE);
    return { head, stream: body.stream, tail };
  }
  const { nextCursor } = body;
  const { text, etag } = body.between(head, tail);
  ctx.set('ETag', etag);
  const link = nextCursor ? nextLink(ctx, nextCursor) : '';
  // Clients refuse headers that are too long. `next_cursor` is in the data anyway.
  if (link !== '' && link.length <= LONGEST_LINK) ctx.set('Link', link);
  if (namesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return null;
  }
  ctx.set('Content-Type', CONTENT_TYPE);
  return text;
}

/** Whether an `If-None-Match` header names the validator, by weak comparison (RFC 9110, section 13.1.2). */
function namesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/** The same request for the next page, as a path from the root of the host to which the client sent it. */
function nextLink(ctx: Context, cursor: string): string {
  const query = new URLSearchParams(ctx.querystring);
  query.set('cursor', cursor);
  return `<${publicPath(ctx)}?${query}>; rel="next"`;
}

function refuse(ctx: Context, error: ApiError): Buffer {
  const { status, headers } = errorRow(error.code);
  ctx.status = status;
  ctx.set({ 'Content-Type': CONTENT_TYPE, ...headers?.(error.details) });
  const { message, code, details } = error;
  const timestamp = rfc3339(new Date());
  return Buffer.from(JSON.stringify({ success: false, message, error: { code, ...details }, timestamp }));
}

/** The state of the token's window, in the format of draft-ietf-httpapi-ratelimit-headers-11. */
function rateLimitHeaders({ limit, windowSeconds, remaining, secondsLeft }: RateLimitState) {
  return {
    'RateLimit-Policy': `"default";q=${limit};w=${windowSeconds}`,
    RateLimit: `"default";r=${remaining};t=${secondsLeft}`,
  };
}

/** When the token expires, rotated or not, if that is within 14 days. */
function expiryHeader(token: RequestToken) {
  const isNear = endsWithin(token, EXPIRING_SECONDS);
  return isNear ? { 'Token-Expires': String(rfc3339OfSeconds(token.expiresAt)) } : {};
}
