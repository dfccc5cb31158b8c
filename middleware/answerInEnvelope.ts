import type { Context, Middleware } from 'koa';
import { withTimeout } from '../lib/async/withTimeout';
import { ApiError } from '../lib/errors/ApiError';
import { asApiError } from '../lib/errors/asApiError';
import { Deadline } from '../lib/errors/Deadline';
import { errorRow } from '../lib/errors/errorCodes';
import { namesEtag } from '../lib/json/etag';
import { between, type Pieces } from '../lib/json/Pieces';
import { rfc3339 } from '../lib/time/time';
import { answerInPieces } from './answerInPieces';
import { type RequestState, requestState } from './RequestState';
import { rateLimitHeaders } from './rateLimitHeaders';

const LONGEST_LINK = 4096;

const CONTENT_TYPE = 'application/json; charset=utf-8';

/**
 * Turns whatever the rest of the line gives or throws into the envelope, within the deadline. It alone writes the
 * answer, so that what comes late changes nothing, and lets nothing through to the panel's own error handling.
 */
export function answerInEnvelope(deadlineMs: number): Middleware {
  const late = () => new ApiError('unavailable', {}, new Deadline());
  return async function answerInEnvelope(context, next) {
    const ctx = context as Context;
    const state = requestState(ctx);
    let answer: Answer;
    try {
      await withTimeout(Promise.resolve(next()), deadlineMs, late);
      if (!state.result) throw new Error('No middleware answered.');
      answer = succeed(ctx, state.result);
    } catch (error) {
      state.error = asApiError(error);
      state.end.come(state.error);
      answer = refuse(ctx, state.error);
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (state.rateLimit) ctx.set(rateLimitHeaders(state.rateLimit));
    if (answer === null || typeof answer === 'string' || Buffer.isBuffer(answer)) ctx.body = answer;
    else await answerInPieces(ctx, answer, { patienceMs: deadlineMs, late });
  };
}

/** The whole, or null where the client has this very data already, or pieces of the text. */
type Answer = string | Buffer | null | Pieces;

function succeed(ctx: Context, { message, body }: NonNullable<RequestState['result']>): Answer {
  const head = `{"success":true,"message":${JSON.stringify(message)},"data":`;
  const tail = `,"timestamp":"${now()}"}`;
  ctx.status = 200;
  if ('pieces' in body) {
    ctx.set('Content-Type', CONTENT_TYPE);
    return between(head, body.pieces, tail);
  }
  const { etag, nextCursor } = body;
  ctx.set('ETag', etag);
  const link = nextCursor ? nextLink(ctx, nextCursor) : '';
  // Clients refuse headers that are too long; `next_cursor` is in the data all the same.
  if (link !== '' && link.length <= LONGEST_LINK) ctx.set('Link', link);
  if (namesEtag(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return null;
  }
  ctx.set('Content-Type', CONTENT_TYPE);
  return body.between(head, tail);
}

/** The same request for the next page, as seen from this one, whatever stands before its path outside. */
function nextLink(ctx: Context, cursor: string): string {
  const query = new URLSearchParams(ctx.querystring);
  query.set('cursor', cursor);
  return `<${ctx.path.slice(ctx.path.lastIndexOf('/') + 1)}?${query}>; rel="next"`;
}

function refuse(ctx: Context, error: ApiError): string {
  const { status, headers } = errorRow(error.code);
  ctx.status = status;
  ctx.remove('ETag');
  ctx.remove('Link');
  ctx.set({ 'Content-Type': CONTENT_TYPE, ...headers?.(error.details) });
  return JSON.stringify({
    success: false,
    message: error.message,
    error: { code: error.code, ...error.details },
    timestamp: now(),
  });
}

function now(): string | null {
  return rfc3339(new Date());
}
