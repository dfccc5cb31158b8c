import type { ErrorCode, ErrorDetails } from '../lib/errors/errorCodes';

/** The API refused a request or failed, or something else answered in its place. */
export class PanelApiError extends Error {
  /** The API's code; null if the answer is not the API's own, such as the error page of a proxy. */
  declare readonly code: ErrorCode | null;
  /** The HTTP status. */
  declare readonly status: number;
  /** The other members of `error`, such as `parameter`. */
  declare readonly details: ErrorDetails;
  /** The request's id in the log of the panel, if the answer names it. */
  declare readonly requestId: string | null;

  constructor(message: string, facts: Pick<PanelApiError, 'code' | 'status' | 'details' | 'requestId'>) {
    super(message);
    this.name = 'PanelApiError';
    Object.assign(this, facts);
  }
}

export const ANOTHER_FORM = 'The answer is not in the form of the API.';

/** The error of an answer that is not the API's own. It contains nothing of the answer but its status and id. */
export function unexpectedAnswer(message: string, response?: Response): PanelApiError {
  const { status = 200, headers } = response ?? {};
  const requestId = headers?.get('X-Request-Id') ?? null;
  return new PanelApiError(message, { code: null, status, details: {}, requestId });
}
