import { type ErrorCode, type ErrorDetails, errorRow } from './errorCodes';

/** A request's failure: the code and details are for the client, the cause is for the log alone. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, cause?: unknown) {
    super(errorRow(code).message(details), { cause });
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }
}

/** Throws ApiError `query_invalid`: the parameter must be as expected. */
export function refuseParameter(parameter: string, expected: string): never {
  throw new ApiError('query_invalid', { parameter, expected });
}
