import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from './ApiError';

/** Whatever was thrown, as the failure that a client hears of; the cause itself is for the log alone. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof DatabaseFailure ? 'unavailable' : 'internal_error', {}, error ?? null);
}
