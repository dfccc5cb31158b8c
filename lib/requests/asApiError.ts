import { Deadline } from '../async/Cancellation';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from '../errors/ApiError';

/** Any thrown value as the failure that the client is told; the cause itself is for the log alone. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof DatabaseFailure ? 'unavailable' : 'internal_error', {}, error ?? null);
}

/** The failure of a request that outlived the deadline. */
export function deadlineError(): ApiError {
  return new ApiError('unavailable', {}, new Deadline());
}
