import type { Run } from '../database/Session';
import { ApiError } from '../errors/ApiError';
import type { Installation } from '../Installation';
import { grants, isServerWide, type OperationFacts } from '../operations/OperationFacts';
import { RequestEnd } from '../operations/RequestEnd';
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

/**
 * What a token with these scopes, of this account, could read at this moment: every endpoint that it is granted. The
 * lists are counted one after another over one connection, and none is begun after the deadline: an administrator who
 * looks must not keep requests waiting.
 */
export async function countReadable(
  installation: Installation,
  { scopes, accountId }: Pick<TokenRecord, 'scopes' | 'accountId'>,
): Promise<readonly ReadableCount[]> {
  const end = RequestEnd.after(installation.options.deadlineMs);
  const granted = installation.operations.filter((operation) => grants(scopes, operation));
  const reading = await installation.database.openReading('review.begin').catch(() => null);
  const counts: ReadableCount[] = [];
  try {
    for (const operation of granted) {
      counts.push(
        await countOperation(installation, operation, { accountId, end, run: reading?.run ?? null }),
      );
    }
  } finally {
    await reading?.close();
  }
  return counts;
}

interface Counting {
  readonly accountId: string | null;
  readonly end: RequestEnd;
  /** Null where no connection was to be had. */
  readonly run: Run | null;
}

async function countOperation(
  installation: Installation,
  operation: OperationFacts,
  { accountId, end, run }: Counting,
): Promise<ReadableCount> {
  const without = (state: ReadableCount['state']) => ({ operation, state, items: null });
  if (accountId !== null && isServerWide(operation)) return without('forbidden');
  if (operation.kind === 'object') return without('object');
  if (run === null || end.reason !== undefined) return without('failed');
  try {
    const items = await countList(installation, operation, { accountId, end, run });
    return { operation, state: 'counted', items };
  } catch (error) {
    if (!(error instanceof ApiError)) return without('failed');
    return without(error.code === 'account_forbidden' ? 'forbidden' : 'missing');
  }
}

async function countList(
  { database, sources }: Installation,
  operation: OperationFacts,
  { accountId, end, run }: Counting & { readonly run: Run },
): Promise<number> {
  const source = sources.get(operation.name);
  const report = await source?.report();
  if (!source || report?.state !== 'served') throw new ApiError('resource_unavailable');
  const filters = accountFilters(operation, report, accountId);
  const counted = accountId === null ? await source.count(run) : null;
  if (counted !== null) return counted;
  const query = { filters, updatedSince: null, accountId, page: null, fields: null };
  return new ListReader({ resource: operation.name, source, query, database, end }).count(run);
}
