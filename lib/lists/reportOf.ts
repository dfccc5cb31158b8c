import { ApiError } from '../errors/ApiError';
import { OutOfOrder } from '../sources/function/returnedRows';
import { emptyReport, KeyNotUnique, type SourceReport, UnreadableRow } from '../sources/Source';

/** Returns the report of a list that could not be read; null if that is no fault of the list. */
export function reportOf(error: unknown): SourceReport | null {
  const { code, cause } = error instanceof ApiError ? error : {};
  // The cause of these is the module's own.
  const why = cause instanceof Error ? [cause.message] : [];
  if (code === 'resource_unavailable') return emptyReport('missing', why);
  if (code === 'unavailable') return emptyReport('failed', why);
  if (error instanceof KeyNotUnique)
    return emptyReport('failed', [`${error.message} The columns of the key must identify each row.`]);
  const isInRows = error instanceof OutOfOrder || error instanceof UnreadableRow;
  return isInRows ? emptyReport('failed', [error.message]) : null;
}
