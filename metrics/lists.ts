import {
  addNewest,
  backedUpAt,
  FAILED,
  type Item,
  isDown,
  isNearlyUsed,
  RUN_TIMES,
  runTime,
  usedOf,
} from '../lib/problems/problems';
import { countOf } from './counts';
import { gauge } from './exposition';
import { listReading, type Reading } from './Reading';

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

const withStatus = (words: readonly string[]) => new Map([['status', new Set(words)]]);
const SUCCEEDED = withStatus(['succeeded']);
const FAILED_JOBS = withStatus(FAILED.jobs);

/** Returns a time of the metrics; null if there is none, which is not finite. */
const inSeconds = (milliseconds: number) => (Number.isFinite(milliseconds) ? milliseconds / 1000 : null);

/** Returns the later of a time and of that of a job or backup, which may have none. */
const later = (time: number | undefined, item: Item) =>
  Math.max(time ?? -Infinity, runTime(item) || -Infinity);

const backups = listReading('backups', async (list) => {
  const rows = await list.tally({ fields: ['status', 'scope'], latest: RUN_TIMES });
  const newest = new Map<string, number>();
  for (const { item } of rows) {
    const scope = String(item.scope ?? '');
    if (item.status === 'succeeded') newest.set(scope, later(newest.get(scope), item));
  }
  return [
    countOf(list, 'backups', ['status'], rows),
    gauge(
      'backup_last_success_timestamp_seconds',
      'When the last successful backup of this scope finished.',
      [...newest].map(([scope, at]) => ({ labels: { scope }, value: inSeconds(at) })),
    ),
  ];
});

const backupsOfAccounts = listReading(
  'backups.accounts',
  async (list, accounts) => {
    if (!accounts || !list.has('account_id')) return [];
    const succeeded = { fields: ['account_id'], latest: RUN_TIMES, filters: SUCCEEDED };
    const newest = await list.fold(succeeded, () => new Map<string, number>(), addNewest);
    const oldest = await accounts.fold(
      { fields: ['id', 'status', 'created_at'] },
      () => Infinity,
      (first, account) => Math.min(first, backedUpAt(account, newest.get(String(account.id))) ?? Infinity),
    );
    return [
      gauge(
        'backup_oldest_last_success_timestamp_seconds',
        'The earliest of the times when the last successful backup of an active account finished, or without one the account was created.',
        [{ value: inSeconds(oldest) }],
      ),
    ];
  },
  'accounts',
);

const jobs = listReading('jobs', async (list) => {
  const rows = await list.tally({ fields: ['status'] });
  // With the times of all jobs, one statement would read the whole table, and not only the index of the status.
  const wanted = { fields: ['status'], latest: RUN_TIMES, filters: FAILED_JOBS };
  const failed = RUN_TIMES.some((time) => list.has(time)) ? await list.tally(wanted) : [];
  return [
    countOf(list, 'jobs', ['status'], rows),
    gauge(
      'job_last_failure_timestamp_seconds',
      'When the last job that failed finished, or without an end started.',
      [{ value: inSeconds(failed.reduce((last, { item }) => later(last, item), -Infinity)) }],
    ),
  ];
});

/** Whether it runs, for those of which that is known. */
const RUNNING: Readonly<Record<string, number>> = { running: 1, stopped: 0, failed: 0 };

const services = listReading('services', async (list) => {
  const rows = await list.tally({ fields: ['id', 'status', 'enabled'] });
  const shown = rows
    .map(({ item }) => item)
    .filter(({ status }) => status !== 'not_installed')
    .toSorted((one, other) => Number(isDown(other)) - Number(isDown(one)))
    .slice(0, MOST_SERVICES);
  const flags = (name: string, help: string, flag: (item: Item) => number | undefined) =>
    gauge(
      name,
      help,
      shown.map((item) => ({ labels: { service: String(item.id) }, value: flag(item) })),
    );
  return [
    flags('service_running', 'Whether the service is running.', ({ status }) => RUNNING[String(status)]),
    flags('service_enabled', 'Whether the service starts when the server boots.', (item) =>
      // A service that is down has no 0, with which the rules leave a service out.
      item.enabled === true ? 1 : isDown(item) ? undefined : 0,
    ),
  ];
});

const MOST_SERVICES = 100;

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
