import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { ErrorCode } from '../errors/errorCodes';
import { grants, isServerWide, type Operation } from '../operations/Operation';
import { EVERY_ROW, type Row } from '../sources/Source';
import type { TokenRecord } from '../tokens/TokenRecord';
import { findList } from './findList';
import { ListReader } from './ListReader';
import type { ListParts } from './served';

/** How much of an endpoint a token can read. */
export interface AccessPreview {
  readonly operation: Operation;
  /**
   * `object`: it has no rows. `forbidden`: a token of one account may not read it. `failed`: it cannot be read at the
   * moment.
   */
  readonly state: 'counted' | 'object' | 'forbidden' | 'missing' | 'failed';
  /** The number of rows; null if they were not counted. */
  readonly items: number | null;
  /** The first of them. */
  readonly first: readonly Row[];
}

/** The rows of each list that are shown. */
const FIRST_PAGE = { limit: 3, after: null };

/** What an error of a list means here. */
const STATES: { readonly [K in ErrorCode]?: AccessPreview['state'] } = {
  account_forbidden: 'forbidden',
  resource_unavailable: 'missing',
};

interface PreviewParts extends ListParts {
  readonly readDatabase: Database;
  readonly options: { readonly deadlineMs: number };
}

/**
 * Returns what a token with these scopes and this account could read now, for every endpoint that its scopes grant.
 * Lists are read one after another over one connection, and none after the deadline, so that an administrator's
 * preview does not delay requests.
 */
export async function previewAccess(
  { readDatabase, operations, sources, options }: PreviewParts,
  { scopes, accountId }: Pick<TokenRecord, 'scopes' | 'accountId'>,
): Promise<readonly AccessPreview[]> {
  const end = Cancellation.after(options.deadlineMs);
  const reading = await readDatabase.openReading('review.begin').catch(() => null);
  const preview = async (operation: Operation): Promise<AccessPreview> => {
    const without = (state: AccessPreview['state']) => ({ operation, state, items: null, first: [] });
    if (accountId !== null && isServerWide(operation)) return without('forbidden');
    if (operation.kind === 'object') return without('object');
    if (reading === null || end.reason !== undefined) return without('failed');
    try {
      return { operation, state: 'counted', ...(await readRows(operation, reading.run)) };
    } catch (error) {
      if (!(error instanceof ApiError)) return without('failed');
      return without(STATES[error.code] ?? 'failed');
    }
  };
  const readRows = async (operation: Operation, run: Run) => {
    const { source, own } = await findList(sources, operation, accountId);
    const query = { ...EVERY_ROW, filters: own, accountId, page: FIRST_PAGE, fields: null, figures: null };
    const reader = new ListReader({ resource: operation.name, source, query, end });
    const { total } = await reader.figures({ countBy: null, sums: [] }, run, Infinity);
    return { items: total, first: (await reader.page(run)).items };
  };
  const previews: AccessPreview[] = [];
  try {
    for (const operation of operations) {
      if (grants(scopes, operation)) previews.push(await preview(operation));
    }
  } finally {
    await reading?.close();
  }
  return previews;
}
