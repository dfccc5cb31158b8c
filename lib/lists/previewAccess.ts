import type { AccountList } from '../accounts/AccountList';
import { TokenAccounts } from '../accounts/TokenAccounts';
import { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { ErrorCode } from '../errors/errorCodes';
import { grants, isServerWide, type Operation } from '../fields/Operation';
import type { Row } from '../sources/Source';
import type { TokenRecord } from '../tokens/TokenRecord';
import { findList, type ListParts } from './findList';
import { WHOLE_LIST } from './parseListQuery';
import { readList } from './readList';

export interface AccessPreview {
  readonly operation: Operation;
  /** `object`: it has no rows. `forbidden`: tokens of accounts may not read it. `failed`: it cannot be read now. */
  readonly state: 'counted' | 'object' | 'forbidden' | 'missing' | 'failed';
  /** The number of rows; null if they were not counted. */
  readonly items: number | null;
  /** The first of them, if they were asked for. */
  readonly first: readonly Row[];
}

/** What an error of a list means here. */
const STATES: { readonly [K in ErrorCode]?: AccessPreview['state'] } = {
  account_forbidden: 'forbidden',
  resource_unavailable: 'missing',
};

/** What of a token says what it may read. */
export type ReadingRights = Pick<TokenRecord, 'scopes' | 'accounts' | 'owner'>;

interface PreviewParts extends ListParts {
  /** The database of the lists, in the slots of CHECKS. */
  readonly checks: Database;
  readonly accounts: AccountList;
}

/**
 * Returns what a token with these scopes and accounts could read now, for every endpoint that its scopes grant, as if its
 * accounts were not suspended. Lists are read one after another over one connection, and none after the deadline, so that
 * an administrator's preview does not delay requests. `rows` is how many rows of each list it returns.
 */
export async function previewAccess(
  { checks, operations, sources, accounts }: PreviewParts,
  { scopes, ...binding }: ReadingRights,
  deadlineMs: number,
  rows = 0,
): Promise<readonly AccessPreview[]> {
  const tokenAccounts = TokenAccounts.of(binding, accounts, { suspendedAccounts: 'allow' });
  const end = Cancellation.after(deadlineMs);
  const snapshot = await checks.openSnapshot('preview.begin').catch(() => null);
  const preview = async (operation: Operation): Promise<AccessPreview> => {
    const without = (state: AccessPreview['state']) => ({ operation, state, items: null, first: [] });
    if (tokenAccounts && isServerWide(operation)) return without('forbidden');
    if (operation.kind === 'object') return without('object');
    if (snapshot === null || end.reason !== undefined) return without('failed');
    try {
      return { operation, state: 'counted', ...(await readRows(operation, snapshot.run)) };
    } catch (error) {
      return without((error instanceof ApiError && STATES[error.code]) || 'failed');
    }
  };
  const readRows = async (operation: Operation, run: Run) => {
    const { source, rowsOfToken } = await findList(sources, operation, tokenAccounts);
    const query = { ...WHOLE_LIST, page: { limit: rows, after: null } };
    const list = { resource: operation.name, source, query, rowsOfToken, end };
    const { total } = await readList(list, run, (all) => all.figures({ countBy: null, sums: [] }, Infinity));
    return { items: total, first: rows === 0 ? [] : (await readList(list, run, (all) => all.page())).items };
  };
  const previews: AccessPreview[] = [];
  try {
    for (const operation of operations) {
      if (grants(scopes, operation)) previews.push(await preview(operation));
    }
  } finally {
    await snapshot?.close();
  }
  return previews;
}

/** Returns the first endpoint that answers a token with these scopes and accounts with 200; null if there is none. */
export async function firstReadable(
  { operations, sources, accounts }: PreviewParts,
  { scopes, ...binding }: ReadingRights,
): Promise<Operation | null> {
  const tokenAccounts = TokenAccounts.of(binding, accounts, { suspendedAccounts: 'allow' });
  const isRead = async (operation: Operation) =>
    operation.kind === 'list'
      ? findList(sources, operation, tokenAccounts).then(Boolean, () => false)
      : !(tokenAccounts && isServerWide(operation));
  for (const operation of operations) {
    if (grants(scopes, operation) && (await isRead(operation))) return operation;
  }
  return null;
}
