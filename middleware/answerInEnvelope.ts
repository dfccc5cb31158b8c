import type { Context, Middleware } from 'koa';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { ApiError } from '../lib/errors/ApiError';
import { Deadline } from '../lib/errors/Deadline';
import { errorRow } from '../lib/errors/errorCodes';
import { namesEtag, weakEtag } from '../lib/json/etag';
import { toJson } from '../lib/json/toJson';
import { rfc3339 } from '../lib/time/rfc3339';
import { within } from '../lib/time/within';
import { type RequestState, requestState } from './RequestState';
import { rateLimitHeaders } from './rateLimitHeaders';

const CONTENT_TYPE = 'application/json; charset=utf-8';

/**
 * Turns whatever the rest of the line gives or throws into the envelope, within the deadline. It alone writes the
 * answer, so that what comes late changes nothing, and lets nothing through to the panel's own error handling.
 */
export function answerInEnvelope(deadlineMs: number): Middleware {
  return async function answerInEnvelope(ctx, next) {
    const state = requestState(ctx);
    let body: string | null;
    try {
      await within(
        Promise.resolve(next()),
        deadlineMs,
        () => new ApiError('unavailable', {}, new Deadline()),
      );
      if (!state.result) throw new Error('No middleware answered.');
      body = succeed(ctx as Context, state.result);
    } catch (error) {
      state.error = asApiError(error);
      body = refuse(ctx as Context, state.error);
    }
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    if (state.rateLimit) ctx.set(rateLimitHeaders(state.rateLimit));
    ctx.body = body;
  };
}

/** The body of a success; null where the client has this very data already. */
function succeed(ctx: Context, { message, data }: NonNullable<RequestState['result']>): string | null {
  const json = toJson(data);
  const etag = weakEtag(json);
  ctx.set('ETag', etag);
  ctx.status = namesEtag(ctx.get('If-None-Match'), etag) ? 304 : 200;
  if (ctx.status === 304) return null;
  ctx.set('Content-Type', CONTENT_TYPE);
  // The data is serialised once, for the validator and for the body.
  return `{"success":true,"message":${JSON.stringify(message)},"data":${json},"timestamp":"${now()}"}`;
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof DatabaseFailure ? 'unavailable' : 'internal_error', {}, error ?? null);
}

function refuse(ctx: Context, error: ApiError): string {
  const { status, headers } = errorRow(error.code);
  ctx.status = status;
  ctx.remove('ETag');
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
