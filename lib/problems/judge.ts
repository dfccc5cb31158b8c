/** The fields of an item that a decision needs, as the API returns them. */
type Item = Readonly<Record<string, unknown>>;

/** A day in milliseconds. It is said here too, because the plugin `check_panel` may have no other folder of `lib`. */
export const DAY_MS = 86_400_000;

/** The statuses of jobs and backups that failed. A backup that is `partial` is a warning. */
export const FAILED = { jobs: ['failed'], backups: ['failed', 'partial'] } as const;

/** The times of a job or backup. Many panels set the end only after a success. */
export const RUN_TIMES = ['finished_at', 'started_at', 'queued_at'] as const;

/** Returns which of these times the item has first; undefined if it has none of them. */
export function firstTime(item: Item, times: readonly string[] = RUN_TIMES): string | undefined {
  return times.find((name) => typeof item[name] === 'string');
}

/** Returns when a job or backup ended, as far as its times say; in milliseconds, NaN without a time. */
export function runTime(item: Item): number {
  return timeOf(item[firstTime(item) ?? '']);
}

/** Whether a service is down. One that a timer or a socket starts is neither enabled nor disabled. */
export function isDown({ status, enabled }: Item): boolean {
  return status === 'failed' || (status === 'stopped' && enabled === true);
}

/** Adds a successful backup to the newest times of each account. */
export function addNewest(newest: Map<string, number>, backup: Item): Map<string, number> {
  const [account, at] = [String(backup.account_id), runTime(backup)];
  if (at > (newest.get(account) ?? -Infinity)) newest.set(account, at);
  return newest;
}

/**
 * Returns since when an account has a backup, in milliseconds: the time of its newest successful one, otherwise that of
 * its creation, and 0 if neither is known. Null for an account that is not active, and needs none.
 */
export function backedUpAt({ status, created_at }: Item, newest: number | undefined): number | null {
  // A panel without the field has no other accounts.
  if (status !== 'active' && status !== undefined) return null;
  return newest ?? (timeOf(created_at) || 0);
}

/** A time of the API in milliseconds; NaN for anything else. */
export function timeOf(time: unknown): number {
  return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}
