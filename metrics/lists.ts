import { isNearlyUsed, usedOf } from '../lib/fields/limits';
import {
  addNewest,
  backedUpAt,
  FAILED,
  isDown,
  latestRunTime,
  RUN_TIMES,
  timeOf,
} from '../lib/problems/judge';
import type { Filters, Row } from '../lib/sources/Source';
import { accounts as accountsList } from '../routes/accounts';
import { countOf } from './counts';
import { gauge } from './exposition';
import { type ListView, listReading, type Reading } from './Reading';

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

const withStatus = (words: readonly string[]): Filters => new Map([['status', new Set(words)]]);
const SUCCEEDED = withStatus(['succeeded']);
const FAILED_JOBS = withStatus(FAILED.jobs);

const inSeconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / 1000);

const backups = listReading('backups', async (list) => {
  const rows = await list.tally({ fields: ['status', 'scope'], times: RUN_TIMES });
  const succeeded = rows.filter(({ item }) => item.status === 'succeeded');
  return [
    countOf(list, 'backups', ['status'], rows),
    gauge(
      'backup_last_success_timestamp_seconds',
      'When the last successful backup of this scope finished.',
      succeeded.map(({ item }) => ({
        labels: { scope: String(item.scope ?? '') },
        value: inSeconds(latestRunTime(item)),
      })),
    ),
  ];
});

const backupsOfAccounts = listReading(
  'backups.accounts',
  async (list, accounts) => {
    if (!accounts || !list.has('account_id')) return [];
    const succeeded = { fields: ['account_id'], times: RUN_TIMES, filters: SUCCEEDED };
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
        [{ value: inSeconds(Number.isFinite(oldest) ? oldest : null) }],
      ),
    ];
  },
  accountsList,
);

/** Returns when the last job failed, in milliseconds: each of the times counts for the jobs without an earlier one. */
async function lastFailure(list: ListView): Promise<number | null> {
  let last: number | null = null;
  for (const [index, time] of RUN_TIMES.entries()) {
    const absent = RUN_TIMES.slice(0, index);
    const rows = { fields: ['status'], times: [time], filters: FAILED_JOBS, absent };
    for (const { item } of list.has(time) ? await list.tally(rows) : [])
      last = Math.max(timeOf(item[time]) || 0, last ?? 0) || null;
  }
  return last;
}

const jobs = listReading('jobs', async (list) => {
  return [
    countOf(list, 'jobs', ['status'], await list.tally({ fields: ['status'] })),
    gauge(
      'job_last_failure_timestamp_seconds',
      'When the last job that failed finished, or without an end started.',
      [{ value: inSeconds(await lastFailure(list)) }],
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
  const flags = (name: string, help: string, flag: (item: Row) => number | undefined) =>
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
