import { writtenValue } from '../lib/errors/printable';
import { keyName } from '../lib/fields';
import { isNearlyUsed, usedOf } from '../lib/fields/limits';
import type { Row, SourceReport } from '../lib/sources/Source';
import { DAY_SECONDS, rfc3339OfSeconds } from '../lib/time/time';
import type { PanelReader, ReadableList } from './PanelReader';

/** A kind of problem: the rows of a list that have it. */
interface Problem {
  readonly problem: string;
  readonly list: string;
  /** The field with its words; without it, all rows. */
  readonly where?: readonly [field: string, words: readonly string[]];
  /** The times of which the first that the list has must be in the last days, or for an end before the next ones. */
  readonly times?: readonly string[];
  readonly isEnd?: true;
  /** The field of a name of which only the latest end counts, because it was replaced. */
  readonly latestOf?: string;
  /** The limits of which one must be nearly used up. */
  readonly limits?: readonly string[];
  /** What is shown of a row beside its key and these fields. */
  readonly shown: readonly string[];
  readonly holds?: (row: Row) => boolean;
}

export const PROBLEMS: readonly Problem[] = [
  {
    problem: 'failed_backups',
    list: 'backups',
    where: ['status', ['failed', 'partial']],
    times: ['finished_at', 'started_at'],
    shown: ['account_id', 'website_id', 'scope', 'error'],
  },
  {
    problem: 'failed_jobs',
    list: 'jobs',
    where: ['status', ['failed']],
    times: ['finished_at', 'started_at', 'queued_at'],
    shown: ['type', 'account_id', 'target_type', 'target_id', 'error'],
  },
  {
    problem: 'failed_tasks',
    list: 'cron',
    where: ['last_status', ['failed']],
    times: ['last_run_at'],
    shown: ['name', 'account_id', 'last_exit_code'],
  },
  {
    problem: 'ending_certificates',
    list: 'ssl',
    where: ['status', ['valid', 'expiring', 'expired']],
    times: ['expires_at'],
    isEnd: true,
    latestOf: 'common_name',
    shown: ['common_name', 'account_id', 'website_id', 'auto_renew', 'last_error'],
  },
  {
    problem: 'ending_domains',
    list: 'domains',
    times: ['registration_expires_at'],
    isEnd: true,
    shown: ['domain', 'account_id'],
  },
  {
    problem: 'services_down',
    list: 'services',
    where: ['status', ['failed', 'stopped']],
    shown: ['name', 'enabled'],
    // One that a timer or socket starts is neither enabled nor disabled: null.
    holds: ({ status, enabled }) => status === 'failed' || enabled === true || enabled === undefined,
  },
  {
    problem: 'full_accounts',
    list: 'accounts',
    limits: ['disk_limit_bytes', 'bandwidth_limit_bytes'],
    shown: ['username', 'plan'],
  },
  {
    problem: 'full_mailboxes',
    list: 'email',
    limits: ['quota_bytes'],
    shown: ['address', 'account_id'],
  },
  {
    problem: 'full_databases',
    list: 'databases',
    limits: ['size_limit_bytes'],
    shown: ['name', 'account_id'],
  },
];

/** The rows of one read, and the most that are read for a problem. */
const PAGE = 1000;
const MOST_READ = 10_000;

/** The most names that one filter has. */
const MOST_NAMES = 100;

/** Finds the rows of the last and next days with each problem, and shows the first of them. */
export async function readProblems(reader: PanelReader, days: number, mostShown: number) {
  const now = Math.floor(Date.now() / 1000);
  const at = (day: number) => rfc3339OfSeconds(now + day * DAY_SECONDS) ?? '';
  const [since, until] = [at(-days), at(days)];
  const found: { problem: string; list: string; rows: number; more?: true; items: readonly Row[] }[] = [];
  const unread = await reader.eachList(async (list) => {
    for (const kind of PROBLEMS.filter((one) => one.list === list.operation.name)) {
      const { rows, isAll } = await readProblem(reader, kind, list, kind.isEnd ? until : since);
      const items = rows.slice(0, mostShown);
      const facts = { problem: kind.problem, list: kind.list, rows: rows.length };
      if (rows.length > 0) found.push({ ...facts, ...(isAll ? {} : { more: true }), items });
    }
  });
  return { since, until, problems: found, not_read: unread };
}

const NOTHING = { rows: [], isAll: true };

/** Reads the rows with a problem, within this bound of time; none if the list lacks the fields that tell. */
async function readProblem(reader: PanelReader, kind: Problem, list: ReadableList, bound: string) {
  const { operation, report } = list;
  const { where, times = [], isEnd, limits = [], latestOf, holds = () => true } = kind;
  const has = (name: string) => name in report.itemSchema.properties;
  const time = times.find(has);
  const fieldsOf = (limit: string) => [usedOf(limit) ?? '', limit];
  const served = limits.filter((limit) => fieldsOf(limit).every(has));
  if ((times.length > 0 && time === undefined) || (limits.length > 0 && served.length === 0)) return NOTHING;
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (where) {
    const words = servedWords(where, report);
    if (words.length === 0) return NOTHING;
    query.set(where[0], words.join(','));
  }
  if (time && report.ranges.includes(time)) query.set(`${time}_${isEnd ? 'before' : 'since'}`, bound);
  const order = report.orders.find((one) => one === `-${time}`) ?? report.orders[0];
  if (order !== undefined && !isEnd) query.set('order', order);
  const fields = [where?.[0], time, ...served.flatMap(fieldsOf), ...kind.shown].filter(
    (name) => name && has(name),
  );
  query.set('fields', [keyName(operation.fields), ...fields].join(','));
  const { rows, isAll } = await readRows(reader, operation.name, query);
  const held = rows.filter((row) => {
    const isFull = served.some((limit) => isNearlyUsed(row, limit));
    const moment = time === undefined ? bound : row[time];
    const isInTime = typeof moment === 'string' && (isEnd ? moment < bound : moment >= bound);
    return isInTime && (isFull || limits.length === 0) && holds(row);
  });
  return { rows: latestOf && time ? await withoutReplaced(reader, list, held, latestOf, time) : held, isAll };
}

/** The words of the field that this panel has. */
function servedWords([field, words]: NonNullable<Problem['where']>, report: SourceReport): readonly string[] {
  if (!report.filters.includes(field)) return [];
  const { enum: known } = report.itemSchema.properties[field] ?? {};
  return Array.isArray(known) ? words.filter((word) => known.includes(word)) : words;
}

async function readRows(reader: PanelReader, name: string, query: URLSearchParams) {
  const rows: Row[] = [];
  for (;;) {
    const { items, nextCursor } = await reader.page(name, query);
    rows.push(...items);
    if (nextCursor === null || rows.length >= MOST_READ) return { rows, isAll: nextCursor === null };
    query.set('cursor', nextCursor);
  }
}

/** Leaves out the rows of a name that ends later in another row. */
async function withoutReplaced(
  reader: PanelReader,
  { operation, report }: ReadableList,
  rows: readonly Row[],
  name: string,
  time: string,
): Promise<readonly Row[]> {
  const names = [...new Set(rows.map((row) => String(row[name])))].slice(0, MOST_NAMES);
  if (names.length === 0 || !report.filters.includes(name)) return rows;
  const query = new URLSearchParams({ limit: String(PAGE), fields: `${name},${time},status` });
  for (const one of names) query.append(name, writtenValue(one));
  const latest = new Map<string, string>();
  for (const row of [...rows, ...(await readRows(reader, operation.name, query)).rows]) {
    const [key, at] = [String(row[name]), String(row[time] ?? '')];
    if (row.status !== 'revoked' && at > (latest.get(key) ?? '')) latest.set(key, at);
  }
  return rows.filter((row) => row[time] === latest.get(String(row[name])));
}
