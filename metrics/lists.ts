import { isNearlyUsed, usedOf } from '../lib/fields/limits';
import type { RowTally } from '../lib/lists/RowsReader';
import type { Filters } from '../lib/sources/Source';
import { DAY_SECONDS } from '../lib/time/time';
import { countOf, seconds } from './counts';
import { gauge } from './exposition';
import { listReading, type Reading, unlessTooMany } from './Reading';

function counting(list: string, name: string, ...labels: readonly string[]): Reading {
  return listReading(list, async (view) => [
    countOf(view, name, labels, await view.tally({ fields: labels })),
  ]);
}

const QUOTAS = { disk: 'disk_limit_bytes', bandwidth: 'bandwidth_limit_bytes' } as const;

const accountQuotas = listReading('accounts.quotas', async (accounts) => {
  const fieldsOf = (limit: string) => [limit, usedOf(limit) ?? ''];
  const quotas = Object.entries(QUOTAS).filter(([, limit]) =>
    fieldsOf(limit).every((field) => accounts.has(field)),
  );
  if (quotas.length === 0) return [];
  const rows = await accounts.tally({ fields: quotas.flatMap(([, limit]) => fieldsOf(limit)) });
  const samples = quotas.map(([quota, limit]) => {
    const full = rows.filter(({ item }) => isNearlyUsed(item, limit));
    return { labels: { quota }, value: full.reduce((sum, { rows: count }) => sum + count, 0) };
  });
  return [gauge('accounts_full', 'Accounts that use 90 % or more of this quota.', samples)];
});

const withStatus = (status: string): Filters => new Map([['status', new Set([status])]]);
const SUCCEEDED = withStatus('succeeded');
const FAILED = withStatus('failed');

const backups = listReading('backups', async (list) => {
  const rows = await list.tally({ fields: ['status', 'scope'], time: 'finished_at' });
  const succeeded = rows.filter(({ item }) => item.status === 'succeeded');
  return [
    countOf(list, 'backups', ['status'], rows),
    gauge(
      'backup_last_success_timestamp_seconds',
      'When the last successful backup of this scope finished.',
      succeeded.map(({ item, latest }) => ({
        labels: { scope: String(item.scope ?? '') },
        value: seconds(latest),
      })),
    ),
  ];
});

const backupsOfAccounts = listReading('backups.accounts', async (list) => {
  if (!list.has('account_id')) return [];
  const rows = await list.tally({ fields: ['account_id'], time: 'finished_at', filters: SUCCEEDED });
  const times = rows.filter(({ item }) => item.account_id !== null).map(({ latest }) => seconds(latest));
  const [oldest] = times.filter((time) => time !== undefined).toSorted((one, other) => one - other);
  return [
    gauge(
      'backup_oldest_last_success_timestamp_seconds',
      "The earliest of the times when an account's last successful backup finished.",
      [{ value: oldest }],
    ),
  ];
});

/** An index on the time finds the jobs of this time at once, however many others there are. */
const RECENT = 2 * DAY_SECONDS;

const jobs = listReading('jobs', async (list) => {
  const from = Math.floor(Date.now() / 1000) - RECENT;
  const recent =
    list.isCounted && list.has('finished_at')
      ? await list
          .tally({
            fields: ['status'],
            time: 'finished_at',
            filters: FAILED,
            ranges: new Map([['finished_at', { from, to: null }]]),
            most: 0,
          })
          .catch(unlessTooMany)
      : [];
  const isKnown = recent !== null && recent.length > 0;
  // The latest of all times reads every row, not only the index of the status.
  const rows = await list.tally({ fields: ['status'], ...(isKnown ? {} : { time: 'finished_at' }) });
  const failed = (isKnown ? recent : rows).filter(({ item }) => item.status === 'failed');
  const times = failed.map(({ latest }) => seconds(latest)).filter((time) => time !== undefined);
  return [
    countOf(list, 'jobs', ['status'], rows),
    gauge('job_last_failure_timestamp_seconds', 'When the last job that failed finished.', [
      { value: times.toSorted((one, other) => other - one)[0] },
    ]),
  ];
});

const services = listReading('services', async (list) => {
  const rows = await list.tally({ fields: ['id', 'status', 'enabled'] });
  const shown = rows
    .map(({ item }) => item)
    .filter(({ status }) => status !== 'not_installed')
    .slice(0, MOST_SERVICES);
  const flags = (name: string, help: string, flag: (item: RowTally['item']) => unknown) =>
    gauge(
      name,
      help,
      shown.map((item) => ({ labels: { service: String(item.id) }, value: flagValue(flag(item)) })),
    );
  return [
    flags('service_running', 'Whether the service is running.', ({ status }) => status === 'running'),
    flags('service_enabled', 'Whether the service starts when the server boots.', ({ enabled }) => enabled),
  ];
});

const MOST_SERVICES = 100;

function flagValue(flag: unknown): number | undefined {
  return typeof flag === 'boolean' ? Number(flag) : undefined;
}

/** The readings of lists, except that of certificates. */
export const listReadings: readonly Reading[] = [
  counting('accounts', 'accounts', 'status'),
  accountQuotas,
  counting('domains', 'domains', 'status'),
  counting('websites', 'websites', 'status'),
  counting('email', 'email_addresses', 'type', 'status'),
  counting('databases', 'databases', 'status'),
  backups,
  backupsOfAccounts,
  jobs,
  counting('cron', 'cron_tasks', 'last_status'),
  services,
];
