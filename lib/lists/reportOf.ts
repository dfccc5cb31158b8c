import { ApiError } from '../errors/ApiError';
import type { ErrorCode } from '../errors/errorCodes';
import { OutOfOrder } from '../sources/function/returnedRows';
import { emptyReport, KeyNotUnique, type SourceReport, UnreadableRow } from '../sources/Source';

/** What an error of a list means for its source. Its cause is the module's own. */
const STATES: { readonly [K in ErrorCode]?: 'missing' | 'failed' } = {
  resource_unavailable: 'missing',
  unavailable: 'failed',
};

/** Returns the report of a list that could not be read; null if that is no fault of the list. */
export function reportOf(error: unknown): SourceReport | null {
  const { code, cause } = error instanceof ApiError ? error : {};
  const state = code && STATES[code];
  if (state) return emptyReport(state, cause instanceof Error ? [cause.message] : []);
  if (error instanceof KeyNotUnique)
    return emptyReport('failed', [`${error.message} The columns of the key must identify each row.`]);
  const isInRows = error instanceof OutOfOrder || error instanceof UnreadableRow;
  return isInRows ? emptyReport('failed', [error.message]) : null;
}
