import { Deadline } from '../async/withTimeout';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from '../errors/ApiError';

/** Turns any thrown value into an error for the client. Only the log contains the cause. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof DatabaseFailure ? 'unavailable' : 'internal_error', {}, error ?? null);
}

export function deadlineError(): ApiError {
  return new ApiError('unavailable', {}, new Deadline());
}

/** The share of a request's deadline after which a door that reads several endpoints reads no more of them. */
export const READING_SHARE = 0.8;
