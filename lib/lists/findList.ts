import type { TokenAccounts } from '../accounts/TokenAccounts';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { ApiError } from '../errors/ApiError';
import { type Operation, ownerField } from '../fields/Operation';
import { requireServed, type Source, type SourceReport } from '../sources/Source';

/** A mount's endpoints, and the sources of those that are lists. */
export interface ListParts {
  readonly operations: readonly Operation[];
  readonly sources: ReadonlyMap<string, Source>;
}

/** Returns the endpoints that this panel serves: objects, and lists with a source. Rejects like `servedReport`. */
export async function servedOperations({ operations, sources }: ListParts): Promise<readonly Operation[]> {
  const served: Operation[] = [];
  for (const operation of operations) {
    if (operation.kind === 'object' || (await servedReport(sources.get(operation.name))))
      served.push(operation);
  }
  return served;
}

/**
 * Returns what a source can serve; null if it cannot be served, or if a function of the panel throws, so that one
 * broken source does not hide the others. Rejects with a DatabaseFailure, because then nothing is known.
 */
export async function servedReport(source: Source | undefined): Promise<SourceReport | null> {
  const report = await source?.report().catch((error) => {
    if (error instanceof DatabaseFailure) throw error;
    return null;
  });
  return report?.state === 'served' ? report : null;
}

/** A list of this mount, as a token may read it. */
export interface ServedList {
  readonly operation: Operation;
  readonly source: Source;
  readonly report: SourceReport;
  /** How a token is limited to its accounts; null for tokens of all. */
  readonly rowsOfToken: RowsOfToken | null;
}

/** The rows of a list that a token of one or several accounts may read. */
export interface RowsOfToken {
  /** The field with a row's account, by which the list can be filtered. */
  readonly field: string;
  readonly tokenAccounts: TokenAccounts;
}

/**
 * Finds the source of a list and its fields. Throws as `requireServed` does, and ApiError `account_forbidden` if the
 * token is limited to accounts and no field contains a row's account.
 */
export async function findList(
  sources: ReadonlyMap<string, Source>,
  operation: Operation,
  tokenAccounts: TokenAccounts | null,
): Promise<ServedList> {
  const source = sources.get(operation.name);
  if (!source) throw new ApiError('resource_unavailable');
  const report = await source.report();
  requireServed(report);
  if (tokenAccounts === null) return { operation, source, report, rowsOfToken: null };
  const field = ownerField(operation);
  if (field === undefined || !report.filters.includes(field)) throw new ApiError('account_forbidden');
  return { operation, source, report, rowsOfToken: { field, tokenAccounts } };
}
