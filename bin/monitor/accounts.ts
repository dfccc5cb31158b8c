import { type Item, PanelApiError } from '../../client';
import { addNewest, backedUpAt, DAY_MS } from '../../lib/problems/problems';
import type { Check } from './arguments';
import { NotChecked, readAll, readRuns } from './readLists';
import { countFinding, inWords } from './report';

type Account = Pick<Item<'accounts'>, 'id'> & Partial<Item<'accounts'>>;

/** Checks that each active account has a backup of the last days. */
export const checkAccounts: Check = async (client, { thresholds, backupDays, ignored }, signal) => {
  const since = new Date(Date.now() - backupDays * DAY_MS);
  const fields = ['id', 'username', 'status', 'created_at'];
  const { items } = await readAll<Account>(client.accounts, fields, {}, signal).catch(ifNotGranted);
  const backups = await readRuns(client, 'backups', ['succeeded'], since, signal);
  if (!backups.fields.includes('account_id')) throw new NotChecked('accounts (backups without account_id)');
  const newest = backups.items.reduce((times, backup) => addNewest(times, backup), new Map<string, number>());
  const without = items.filter((account) => {
    const at = backedUpAt(account, newest.get(String(account.id)));
    return at !== null && at < since.getTime() && !ignored.has(account.username ?? '');
  });
  const names = without.map(({ username, id }) => username ?? id);
  const what = `without a backup for ${inWords(backupDays, 'day')}`;
  return countFinding('accounts', names, thresholds.accounts, what, `no account ${what}`);
};

/** A token that checked other lists before this one was checked has no scope for it. */
function ifNotGranted(error: unknown): never {
  if (error instanceof PanelApiError && error.code === 'scope_missing')
    throw new NotChecked(`accounts (the token has no ${error.details.required_scope})`);
  throw error;
}
