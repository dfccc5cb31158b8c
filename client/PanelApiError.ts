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
