import { ApiError } from '../errors/ApiError';
import { type OperationFacts, ownerField } from '../operations/OperationFacts';
import type { Filters, SourceReport } from '../sources/Source';

/**
 * What keeps a token of one account to the rows of that account. Throws ApiError `account_forbidden` where the source
 * cannot say whose a row is.
 */
export function accountFilters(
  operation: Pick<OperationFacts, 'owner' | 'fields'>,
  { filters }: Pick<SourceReport, 'filters'>,
  accountId: string | null,
): Filters {
  if (accountId === null) return new Map();
  const owner = ownerField(operation);
  if (owner === undefined || !filters.includes(owner)) throw new ApiError('account_forbidden');
  return new Map([[owner, new Set([accountId])]]);
}
