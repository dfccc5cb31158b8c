import { Cancellation } from '../async/Cancellation';
import { withTimeout } from '../async/withTimeout';
import type { Database } from '../database/Database';
import type { Settings } from '../settings/Settings';
import { retryOnSchemaChange } from '../sources/Source';
import type { RequestToken } from '../tokens/TokenRecord';
import type { AccountList } from './AccountList';
import { type Refusal, TokenAccounts } from './TokenAccounts';

interface StateParts {
  readonly accounts: AccountList;
  readonly settings: Settings;
  readonly readDatabase: Database;
}

/** How long an administrator waits for the list of accounts, in milliseconds. */
const TIMEOUT_MS = 2000;

/** An account of a token that a request would be refused now; `unknown` if the list of accounts cannot be read. */
export interface RefusedAccount {
  readonly id: string;
  readonly refusal: Refusal | 'unknown';
}

/** Returns the accounts of an active token that are not served now. */
export async function refusedAccounts(
  token: RequestToken,
  { accounts, settings, readDatabase }: StateParts,
): Promise<readonly RefusedAccount[]> {
  const suspendedAccounts = await settings.get('suspendedAccounts');
  const tokenAccounts =
    token.state === 'active' ? TokenAccounts.of(token, accounts, { suspendedAccounts }) : null;
  if (!tokenAccounts) return [];
  const { run } = readDatabase.inSlotsOf('tokens');
  const end = Cancellation.after(TIMEOUT_MS);
  const found = retryOnSchemaChange(() => tokenAccounts.refusals(run, end));
  const refusals = await withTimeout(found, TIMEOUT_MS).catch(() => null);
  return token.accounts.flatMap(({ id }, index) => {
    const refusal = refusals ? refusals[index] : 'unknown';
    return refusal ? [{ id, refusal }] : [];
  });
}
