import { ApiError } from '../errors/ApiError';
import { type Operation, ownerField } from '../operations/Operation';
import { type Filters, requireServed, type Source, type SourceReport } from '../sources/Source';

/** A list of this panel, as a token may read it. */
export interface FoundList {
  readonly source: Source;
  readonly report: SourceReport;
  /** The filter that limits a token to its account; empty for tokens of all accounts. */
  readonly own: Filters;
}

/**
 * Finds the source of a list and its fields. Throws as `requireServed` does, and ApiError `account_forbidden` if the
 * token is limited to an account and no field contains a row's account.
 */
export async function findList(
  sources: ReadonlyMap<string, Source>,
  operation: Pick<Operation, 'name' | 'owner' | 'fields'>,
  accountId: string | null,
): Promise<FoundList> {
  const source = sources.get(operation.name);
  if (!source) throw new ApiError('resource_unavailable');
  const report = await source.report();
  requireServed(report);
  if (accountId === null) return { source, report, own: new Map() };
  const owner = ownerField(operation);
  if (owner === undefined || !report.filters.includes(owner)) throw new ApiError('account_forbidden');
  return { source, report, own: new Map([[owner, new Set([accountId])]]) };
}
