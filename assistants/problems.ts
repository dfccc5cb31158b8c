import { keyName } from '../lib/fields';
import {
  addNewest,
  backedUpAt,
  CERTIFICATE_FIELDS,
  CertificateEnds,
  DAY_MS,
  FAILED,
  firstTime,
  type Item,
  isDown,
  isNearlyUsed,
  RUN_TIMES,
  timeOf,
  usedOf,
} from '../lib/problems/problems';
import type { ListReader, PanelReader } from '../lib/requests/PanelReader';
import { rfc3339 } from '../lib/time/time';

/** With what a problem is looked for. The times are in milliseconds. */
interface Context {
  readonly reader: PanelReader;
  readonly list: ListReader;
  /** The fields that decide, as far as the list has them, and its key. */
  readonly fields: readonly string[];
  readonly now: number;
  readonly since: number;
  readonly until: number;
  /** How many rows are shown at most. */
  readonly most: number;
}

/** The rows with a problem. The first are shown, those of the lowest ranks. */
interface FoundRows {
  readonly rows: number;
  readonly first: readonly { readonly row: Item; readonly rank: number }[];
  /** Whether no other rows could have it. */
  readonly isAll: boolean;
  /** How many ended so long ago that they are counted apart. */
  readonly longEnded?: number;
}

type Query = Readonly<Record<string, string | readonly string[]>>;

const NOTHING: FoundRows = { rows: 0, first: [], isAll: true };

interface Problem {
  readonly problem: string;
  readonly list: string;
  /** What is shown of a row beside its key and the fields that decide. */
  readonly shown: readonly string[];
  /** The fields that decide. A list without any of them has no such problem. */
  readonly decides: readonly string[];
  readonly find: (context: Context) => Promise<FoundRows>;
}

/** How the rows with a problem are found. */
type Finding = Pick<Problem, 'decides' | 'find'>;

/** Counts the rows of these queries that have a rank there, and keeps the first of them. */
async function findRows(
  { list, fields, most }: Context,
  queries: readonly Query[],
  rankOf: (row: Item, query: number) => number | null,
): Promise<FoundRows> {
  let found = NOTHING;
  for (const [index, query] of queries.entries()) {
    const before = found;
    const add = (all: FoundRows, row: Item): FoundRows => {
      const rank = rankOf(row, index);
      if (rank === null) return all;
      const rows = all.rows + 1;
      if (rank >= (all.first[most - 1]?.rank ?? Infinity)) return { ...all, rows };
      const first = [...all.first, { row, rank }].toSorted((one, other) => one.rank - other.rank);
      return { ...all, rows, first: first.slice(0, most) };
    };
    const { made, isAll } = await list.fold(query, { fields }, () => before, add);
    found = { ...made, isAll: made.isAll && isAll };
  }
  return found;
}

/** Returns a query for the rows with this time since or before a moment, if the list has such ranges. */
function during({ report }: ListReader, time: string, bound: 'since' | 'before', at: number): Query {
  return report.ranges.includes(time) ? { [`${time}_${bound}`]: new Date(at).toISOString() } : {};
}

/** Rows with these words that failed in the last days, as the first of the times says that a row has. */
function failed(words: readonly string[], field = 'status', times: readonly string[] = RUN_TIMES): Finding {
  return {
    decides: [field, ...times],
    async find(context) {
      const { list, fields, since } = context;
      const served = times.filter((time) => fields.includes(time));
      const known = servedWords(field, words, list);
      if (known.length === 0) return NOTHING;
      const queries = served.map((time) => ({ ...during(list, time, 'since', since), [field]: known }));
      return findRows(context, queries, (row, index) => {
        const time = firstTime(row, served);
        const at = timeOf(row[time ?? '']);
        return time === served[index] && at >= since ? -at : null;
      });
    },
  };
}

const failedTasks = failed(['failed'], 'last_status', ['last_run_at']);

/** Rows with an end that is over, or in the next days. */
function ending(end: string): Finding {
  const find = (context: Context) =>
    findRows(context, [during(context.list, end, 'before', context.until)], (row) => {
      const at = timeOf(row[end]);
      return at < context.until ? Math.abs(at - context.now) : null;
    });
  return { decides: [end], find };
}

/** Rows for which the decision holds. */
function lasting(decides: readonly string[], holds: (row: Item) => boolean): Finding {
  const rankOf = (row: Item) => (holds(row) ? 0 : null);
  return { decides, find: (context) => findRows(context, [{}], rankOf) };
}

/** Rows that have nearly used up one of these limits. */
function full(...limits: readonly string[]): Finding {
  const decides = limits.flatMap((limit) => [usedOf(limit) ?? '', limit]);
  return lasting(decides, (row) => limits.some((limit) => isNearlyUsed(row, limit)));
}

const endingCertificates: Finding = {
  decides: CERTIFICATE_FIELDS,
  async find({ list, fields, now, until }) {
    const add = (known: CertificateEnds, row: Item) => known.add(row);
    const read = (query: Query, make: () => CertificateEnds) => list.fold(query, { fields }, make, add);
    const early = during(list, 'expires_at', 'before', until);
    const { made: ends, isAll } = await read(early, () => new CertificateEnds(now, until));
    if (!ends.isEmpty) await read(during(list, 'expires_at', 'since', until), () => ends);
    const result = ends.result();
    const first = result.ending.map(({ certificate }, rank) => ({ row: certificate, rank }));
    return { ...result, rows: first.length, first, isAll: isAll && result.isAll };
  },
};

const withoutBackup: Finding = {
  decides: ['status', 'created_at'],
  async find(context) {
    const { reader, since } = context;
    const backups = await reader.listIfShown('backups');
    if (!backups || !['status', 'account_id'].every((name) => backups.report.filters.includes(name)))
      return NOTHING;
    const wanted = { fields: ['account_id'], latest: RUN_TIMES.filter((time) => backups.has(time)) };
    const query = { status: 'succeeded' };
    const { made: newest, isAll } = await backups.fold(query, wanted, () => new Map(), addNewest);
    // Otherwise the newest backup of an account may be among those that were not read.
    if (!isAll) return { ...NOTHING, isAll };
    return findRows(context, [{}], (account) => {
      const at = backedUpAt(account, newest.get(String(account.id)));
      return at !== null && at < since ? at : null;
    });
  },
};

function problem(name: string, list: string, shown: string, finding: Finding): Problem {
  return { problem: name, list, shown: shown.split(' '), ...finding };
}

export const PROBLEMS: readonly Problem[] = [
  problem('failed_backups', 'backups', 'account_id website_id scope error', failed(FAILED.backups)),
  problem('failed_jobs', 'jobs', 'type account_id target_type target_id error', failed(FAILED.jobs)),
  problem('failed_tasks', 'cron', 'name account_id last_exit_code', failedTasks),
  problem('ending_certificates', 'ssl', 'account_id website_id auto_renew last_error', endingCertificates),
  problem('ending_domains', 'domains', 'domain account_id', ending('registration_expires_at')),
  problem('services_down', 'services', 'name', lasting(['status', 'enabled'], isDown)),
  problem('accounts_without_backup', 'accounts', 'username', withoutBackup),
  problem('full_accounts', 'accounts', 'username plan', full('disk_limit_bytes', 'bandwidth_limit_bytes')),
  problem('full_mailboxes', 'email', 'address account_id', full('quota_bytes')),
  problem('full_databases', 'databases', 'name account_id', full('size_limit_bytes')),
];

/** Finds the rows of the last and next days with each problem, and shows the first of them. */
export async function readProblems(reader: PanelReader, days: number, most: number) {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const [since, until] = [now - days * DAY_MS, now + days * DAY_MS];
  const problems: { problem: string; list: string; rows: number; more?: true; items: readonly Item[] }[] = [];
  const unread = await reader.eachList(async (list) => {
    const { name, endpoint } = list;
    const isServed = (field: string) => list.has(field);
    for (const { problem: kind, shown, decides, find } of PROBLEMS.filter((one) => one.list === name)) {
      if (!decides.some(isServed)) continue;
      const fields = [keyName(endpoint.operation.fields), ...decides].filter(isServed);
      const found = await find({ reader, list, fields, now, since, until, most });
      const facts = { list: name, ...(found.isAll ? {} : { more: true as const }) };
      const rows = found.first.slice(0, most).map(({ row }) => row);
      const items = await withShown(list, rows, [...fields, ...shown.filter(isServed)]);
      if (found.rows > 0) problems.push({ problem: kind, ...facts, rows: found.rows, items });
      if (found.longEnded)
        problems.push({ problem: 'long_ended_certificates', ...facts, rows: found.longEnded, items: [] });
    }
  });
  return { since: rfc3339(new Date(since)), until: rfc3339(new Date(until)), problems, not_read: unread };
}

/** The words of the field that this panel has. */
function servedWords(field: string, words: readonly string[], list: ListReader) {
  if (!list.report.filters.includes(field)) return [];
  const known = list.words(field);
  return known ? words.filter((word) => known.includes(word)) : words;
}

/** Returns rows with these fields, which are read only of them, by their keys. */
async function withShown(
  list: ListReader,
  rows: readonly Item[],
  fields: readonly string[],
): Promise<readonly Item[]> {
  const key = keyName(list.endpoint.operation.fields);
  if (rows.length === 0 || !list.report.filters.includes(key)) return rows;
  const { items } = await list.page({
    fields: fields.join(','),
    limit: String(2 * rows.length),
    [key]: rows.map((row) => String(row[key])),
  });
  // A row may have gone since it was counted.
  return rows.map((row) => items.find((item) => item[key] === row[key]) ?? row);
}
