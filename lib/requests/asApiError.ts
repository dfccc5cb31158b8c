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
