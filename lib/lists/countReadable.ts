import { ApiError } from '../errors/ApiError';
import type { Installation } from '../Installation';
import { grants, isServerWide, type OperationFacts } from '../operations/OperationFacts';
import type { TokenRecord } from '../tokens/TokenRecord';
import { accountFilters } from './accountFilters';
import { ListReader } from './ListReader';

/** How much of one endpoint a token may read. */
export interface ReadableCount {
  readonly operation: OperationFacts;
  /** `object`: it has no rows. `forbidden`: it says nothing of the token's account. `failed`: it cannot be read now. */
  readonly state: 'counted' | 'object' | 'forbidden' | 'missing' | 'failed';
  /** How many rows; null where they were not counted. */
  readonly items: number | null;
}

/** What a token with these scopes, of this account, could read at this moment: every endpoint that it is granted. */
export async function countReadable(
  installation: Installation,
  { scopes, accountId }: Pick<TokenRecord, 'scopes' | 'accountId'>,
): Promise<readonly ReadableCount[]> {
  const granted = installation.operations.filter((operation) => grants(scopes, operation));
  return Promise.all(granted.map((operation) => countOperation(installation, operation, accountId)));
}

async function countOperation(
  installation: Installation,
  operation: OperationFacts,
  accountId: string | null,
): Promise<ReadableCount> {
  const without = (state: ReadableCount['state']) => ({ operation, state, items: null });
  if (accountId !== null && isServerWide(operation)) return without('forbidden');
  if (operation.kind === 'object') return without('object');
  try {
    const items = await countList(installation, operation, accountId);
    return { operation, state: 'counted', items };
  } catch (error) {
    if (!(error instanceof ApiError)) return without('failed');
    return without(error.code === 'account_forbidden' ? 'forbidden' : 'missing');
  }
}

async function countList(
  { database, sources, options }: Installation,
  operation: OperationFacts,
  accountId: string | null,
): Promise<number> {
  const source = sources.get(operation.name);
  const report = await source?.report();
  if (!source || report?.state !== 'served') throw new ApiError('resource_unavailable');
  const filters = accountFilters(operation, report, accountId);
  const counted = accountId === null ? await source.count() : null;
  if (counted !== null) return counted;
  const query = { filters, updatedSince: null, accountId, page: null, fields: null };
  const signal = AbortSignal.timeout(options.deadlineMs);
  return new ListReader({ resource: operation.name, source, query, database, signal }).count();
}
