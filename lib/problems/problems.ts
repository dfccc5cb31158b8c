import { domainToASCII } from 'node:url';

/** An item of a list, as the API returns it. */
export type Item = Readonly<Record<string, unknown>>;

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

/** Returns the name of the field that says how much of this limit is used; null if the field is no limit. */
export function usedOf(limit: string): string | null {
  if (limit === 'quota_bytes') return 'used_bytes';
  if (limit === 'max_attempts') return 'attempts';
  if (limit === 'size_limit_bytes') return 'size_bytes';
  if (limit.endsWith('_limit')) return limit.replace(/limit$/, 'count');
  return limit.endsWith('_limit_bytes') ? limit.replace('_limit_', '_used_') : null;
}

/** Whether the field is a limit, in which null means no limit. */
export function isLimit(field: string): boolean {
  return usedOf(field) !== null || field === 'send_limit_per_day';
}

/** The share of a limit from which it is nearly used up. */
const NEARLY = 0.9;

/** Whether a row has used up nearly all of this limit. A limit that is null or 0 is none. */
export function isNearlyUsed(row: Item, limit: string): boolean {
  const most = Number(row[limit] ?? 0);
  return most > 0 && Number(row[usedOf(limit) ?? ''] ?? 0) >= NEARLY * most;
}

/** The fields of a certificate that decide. Without `sans`, its only name is `common_name`. */
export const CERTIFICATE_FIELDS = ['common_name', 'sans', 'status', 'expires_at'] as const;

/** Certificates with these statuses do not end: they are not served, or not issued. */
const NOT_HELD: readonly unknown[] = ['revoked', 'failed', 'pending'];

/** The days for which a certificate that has ended is a problem. After them, its name is likely to be given up. */
export const ENDED_DAYS = 30;

/** The most certificates that are kept of those that end, and of those that ended long ago. */
const MOST_KEPT = 10_000;

interface Kept<T> {
  readonly certificate: T;
  readonly names: readonly string[];
  /** When it ends, in milliseconds. */
  readonly end: number;
}

/**
 * Finds the certificates that end before `until`. Add all that end before, then all others: a certificate does not count
 * if each of its names is on another one that ends later.
 */
export class CertificateEnds<T extends Item = Item> {
  readonly #now: number;
  readonly #until: number;
  readonly #ending: Kept<T>[] = [];
  readonly #longEnded: Kept<T>[] = [];
  /** The last end of each name of these certificates, and of the wildcards that cover it. */
  readonly #ends = new Map<string, number>();
  #isAll = true;

  constructor(now: number, until: number) {
    this.#now = now;
    this.#until = until;
  }

  add(certificate: T): this {
    const end = NOT_HELD.includes(certificate.status) ? Number.NaN : timeOf(certificate.expires_at);
    if (Number.isNaN(end)) return this;
    const names = namesOf(certificate);
    const kept = end < this.#now - ENDED_DAYS * DAY_MS ? this.#longEnded : this.#ending;
    if (end < this.#until && kept.length < MOST_KEPT) {
      kept.push({ certificate, names, end });
      for (const name of names.flatMap((one) => [one, wildcardOf(one)]))
        if (!this.#ends.has(name)) this.#ends.set(name, -Infinity);
    } else if (end < this.#until) this.#isAll = false;
    for (const name of names) if (end > (this.#ends.get(name) ?? end)) this.#ends.set(name, end);
    return this;
  }

  /** Whether any certificate was kept, so that the others decide. */
  get isEmpty(): boolean {
    return this.#ends.size === 0;
  }

  /**
   * The certificates that count, first those that end in the next 30 days, then those that have ended, each the nearest
   * first. `longEnded` is how many ended over 30 days ago. `isAll` is false if there were too many to keep.
   */
  result() {
    const isLast = ({ names, end }: Kept<T>) =>
      names.some((name) => [name, wildcardOf(name)].every((one) => (this.#ends.get(one) ?? end) <= end));
    const group = ({ end }: Kept<T>) => (end < this.#now ? 1 : end < this.#now + ENDED_DAYS * DAY_MS ? 0 : 2);
    const distance = ({ end }: Kept<T>) => Math.abs(end - this.#now);
    const ending = this.#ending
      .filter(isLast)
      .toSorted((one, other) => group(one) - group(other) || distance(one) - distance(other));
    return { ending, longEnded: this.#longEnded.filter(isLast).length, isAll: this.#isAll };
  }
}

function namesOf({ common_name, sans }: Item): readonly string[] {
  const names = [common_name, ...(Array.isArray(sans) ? sans : [])];
  return [...new Set(names.filter((name) => typeof name === 'string' && name !== '').map(asciiName))];
}

/** A name in the form in which the same name is found again: its ASCII form in lower case, without a dot at its end. */
function asciiName(name: unknown): string {
  const text = String(name).toLowerCase();
  return (domainToASCII(text) || text).replace(/\.$/, '');
}

/** The wildcard that covers a name: `*.shop.example` for `www.shop.example`. */
function wildcardOf(name: string): string {
  return name.replace(/^[^.]+/, '*');
}
