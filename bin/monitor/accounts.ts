import type { Item, PanelClient } from '../../client';
import { addNewest, BACKUP_TIMES, backedUpAt } from '../../lib/problems/judge';
import type { Arguments } from './arguments';
import { NotChecked, readAll } from './reading';
import { type Finding, figure, inWords, named, stateOf } from './report';

type Account = Pick<Item<'accounts'>, 'id'> & Partial<Item<'accounts'>>;
type Backup = Partial<Item<'backups'>>;

const DAY = 86_400_000;

/** Checks that each active account has a backup of the last days. */
export async function checkAccounts(
  client: PanelClient,
  options: Arguments,
  signal: AbortSignal,
): Promise<Finding> {
  const { thresholds, backupDays, ignored } = options;
  const since = new Date(Date.now() - backupDays * DAY);
  const newest = new Map<string, number>();
  const wanted = ['account_id', 'status', ...BACKUP_TIMES];
  for (const time of BACKUP_TIMES) {
    const rows = { status: 'succeeded', [`${time}_since`]: since };
    const { items, fields } = await readAll<Backup>(client.backups, wanted, rows, signal);
    if (!fields.includes('account_id')) throw new NotChecked('accounts (backups without account_id)');
    for (const backup of items) if (backup.status === 'succeeded') addNewest(newest, backup);
  }
  const fields = ['id', 'username', 'status', 'created_at'] as const;
  const { items } = await readAll<Account>(client.accounts, fields, {}, signal);
  const without = items.filter((account) => {
    const at = backedUpAt(account, newest.get(String(account.id)));
    return at !== null && at < since.getTime() && !ignored.has(account.username ?? '');
  });
  const bounds = thresholds.accounts;
  const period = inWords(backupDays, 'day');
  return {
    state: stateOf(without.length, bounds),
    text:
      without.length === 0
        ? `no account without a backup for ${period}`
        : `${inWords(without.length, 'account')} without a backup for ${period}: ${named(without.map(({ username, id }) => username ?? id))}`,
    figures: [figure('accounts', without.length, bounds)],
  };
}
