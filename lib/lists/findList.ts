import { ApiError } from '../errors/ApiError';
import { type Operation, ownerField } from '../operations/Operation';
import type { Filters, Source, SourceReport } from '../sources/Source';

/** A list that this panel serves, as a token may read it. */
export interface FoundList {
  readonly source: Source;
  readonly report: SourceReport;
  /** The filter that keeps a token of one account to the rows of that account; empty for other tokens. */
  readonly own: Filters;
}

/**
 * Finds the source of a list and what it can serve now. Throws ApiError `resource_unavailable` if it can serve nothing,
 * and `account_forbidden` if the token is of one account and no field says which account a row belongs to.
 */
export async function findList(
  sources: ReadonlyMap<string, Source>,
  operation: Pick<Operation, 'name' | 'owner' | 'fields'>,
  accountId: string | null,
): Promise<FoundList> {
  const source = sources.get(operation.name);
  const report = await source?.report();
  if (!source || report?.state !== 'served') throw new ApiError('resource_unavailable');
  if (accountId === null) return { source, report, own: new Map() };
  const owner = ownerField(operation);
  if (owner === undefined || !report.filters.includes(owner)) throw new ApiError('account_forbidden');
  return { source, report, own: new Map([[owner, new Set([accountId])]]) };
}
