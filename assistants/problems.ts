import { keyName } from '../lib/fields';
import { isNearlyUsed, usedOf } from '../lib/fields/limits';
import { CERTIFICATE_FIELDS, CertificateEnds } from '../lib/problems/CertificateEnds';
import {
  backedUpAt,
  FAILED,
  firstTime,
  isDown,
  latestRunTime,
  RUN_TIMES,
  timeOf,
} from '../lib/problems/judge';
import { nullIfHidden } from '../lib/requests/passChecks';
import type { Row, SourceReport } from '../lib/sources/Source';
import { DAY_SECONDS, rfc3339OfSeconds } from '../lib/time/time';
import {
  areShownApart,
  bothOf,
  type FoundRows,
  findRows,
  NOTHING,
  type RowsContext,
  rangeQuery,
  shownRows,
} from './foundRows';
import type { PanelReader } from './PanelReader';

/** With what a problem is read: also the period, in seconds. */
interface Context extends RowsContext {
  readonly now: number;
  readonly since: number;
  readonly until: number;
}

/** A kind of problem: the rows of a list that have it. */
interface Problem {
  readonly problem: string;
  readonly list: string;
  /** What is shown of a row beside its key and the fields that decide. */
  readonly shown: readonly string[];
  /** The fields that decide. Without all of them, nothing is known. */
  readonly decides: readonly string[];
  /** Returns also how many ended so long ago that they are counted apart. */
  readonly find: (context: Context) => Promise<FoundRows & { readonly longEnded?: number }>;
}

type Finding = Pick<Problem, 'decides' | 'find'>;

/** The words of a field with which a row is a problem. */
type Words = readonly [field: string, words: readonly string[]];

/** Rows with these words that failed in the last days, as the first of the times says that a row has. */
function failed(where: Words, times: readonly string[]): Finding {
  return {
    decides: [where[0], ...times],
    async find(context) {
      const { list, fields, since } = context;
      const words = servedWords(where, list.report);
      const served = times.filter((time) => fields.includes(time));
      let found = NOTHING;
      for (const time of words.length > 0 ? served : []) {
        const query = rangeQuery(list, time, since, null);
        query.set(where[0], words.join(','));
        const rankOf = (row: Row) => {
          const at = firstTime(row, served) === time ? timeOf(row[time]) / 1000 : Number.NaN;
          return at >= since ? -at : null;
        };
        found = bothOf(found, await findRows(context, query, rankOf));
      }
      return found;
    },
  };
}

/** Rows with an end that is over, or in the next days. */
function ending(end: string): Finding {
  return {
    decides: [end],
    find: (context) =>
      findRows(context, rangeQuery(context.list, end, null, context.until), (row) => {
        const at = timeOf(row[end]) / 1000;
        return at < context.until ? Math.abs(at - context.now) : null;
      }),
  };
}

/** Rows for which the decision holds. */
function lasting(decides: readonly string[], holds: (row: Row) => boolean): Finding {
  return {
    decides,
    find: (context) => findRows(context, new URLSearchParams(), (row) => (holds(row) ? 0 : null)),
  };
}

function full(...limits: readonly string[]): Finding {
  return lasting(
    limits.flatMap((limit) => [usedOf(limit) ?? '', limit]),
    (row) => limits.some((limit) => isNearlyUsed(row, limit)),
  );
}

const endingCertificates: Finding = {
  decides: CERTIFICATE_FIELDS,
  async find({ reader, list, fields, now, until }) {
    if (!fields.includes('expires_at')) return NOTHING;
    const { name } = list.operation;
    const add = (ends: CertificateEnds<Row>, row: Row) => ends.add(row);
    const make = () => new CertificateEnds<Row>(now * 1000, until * 1000);
    const early = rangeQuery(list, 'expires_at', null, until);
    const { made: ends, isAll } = await reader.fold(name, early, { fields }, make, add);
    const later = rangeQuery(list, 'expires_at', until, null);
    if (!ends.isEmpty) await reader.fold(name, later, { fields }, () => ends, add);
    const result = ends.result();
    const first = result.ending.map(({ certificate }, rank) => ({ row: certificate, rank }));
    return { ...result, rows: first.length, first, isAll: isAll && result.isAll };
  },
};

const withoutBackup: Finding = {
  decides: ['status', 'created_at'],
  async find(context) {
    const { reader, since } = context;
    const backups = await reader.list('backups').catch(nullIfHidden);
    const { filters = [], itemSchema } = backups?.report ?? {};
    if (!filters.includes('status') || !itemSchema || !('account_id' in itemSchema.properties))
      return NOTHING;
    const wanted = {
      fields: ['account_id'],
      latest: RUN_TIMES.filter((time) => time in itemSchema.properties),
    };
    const make = () => new Map<string, number>();
    const query = { status: 'succeeded' };
    const { made: newest, isAll } = await reader.fold('backups', query, wanted, make, (times, row) => {
      const [account, at] = [String(row.account_id), latestRunTime(row) ?? Number.NaN];
      if (at > (times.get(account) ?? -Infinity)) times.set(account, at);
    });
    // Otherwise the newest backup of an account may be among those that were not read.
    if (!isAll) return { ...NOTHING, isAll };
    return findRows(context, new URLSearchParams(), (account) => {
      const at = backedUpAt(account, newest.get(String(account.id)));
      return at !== null && at < since * 1000 ? at : null;
    });
  },
};

export const PROBLEMS: readonly Problem[] = [
  {
    problem: 'failed_backups',
    list: 'backups',
    shown: ['account_id', 'website_id', 'scope', 'error'],
    ...failed(['status', FAILED.backups], RUN_TIMES),
  },
  {
    problem: 'failed_jobs',
    list: 'jobs',
    shown: ['type', 'account_id', 'target_type', 'target_id', 'error'],
    ...failed(['status', FAILED.jobs], RUN_TIMES),
  },
  {
    problem: 'failed_tasks',
    list: 'cron',
    shown: ['name', 'account_id', 'last_exit_code'],
    ...failed(['last_status', ['failed']], ['last_run_at']),
  },
  {
    problem: 'ending_certificates',
    list: 'ssl',
    shown: ['account_id', 'website_id', 'auto_renew', 'last_error'],
    ...endingCertificates,
  },
  {
    problem: 'ending_domains',
    list: 'domains',
    shown: ['domain', 'account_id'],
    ...ending('registration_expires_at'),
  },
  {
    problem: 'services_down',
    list: 'services',
    shown: ['name'],
    ...lasting(['status', 'enabled'], isDown),
  },
  { problem: 'accounts_without_backup', list: 'accounts', shown: ['username'], ...withoutBackup },
  {
    problem: 'full_accounts',
    list: 'accounts',
    shown: ['username', 'plan'],
    ...full('disk_limit_bytes', 'bandwidth_limit_bytes'),
  },
  { problem: 'full_mailboxes', list: 'email', shown: ['address', 'account_id'], ...full('quota_bytes') },
  {
    problem: 'full_databases',
    list: 'databases',
    shown: ['name', 'account_id'],
    ...full('size_limit_bytes'),
  },
];

/** Finds the rows of the last and next days with each problem, and shows the first of them. */
export async function readProblems(reader: PanelReader, days: number, most: number) {
  const now = Math.floor(Date.now() / 1000);
  const period = { now, since: now - days * DAY_SECONDS, until: now + days * DAY_SECONDS };
  const problems: { problem: string; list: string; rows: number; more?: true; items: readonly Row[] }[] = [];
  const unread = await reader.eachList(async (list) => {
    const { name, fields: all } = list.operation;
    for (const { problem, shown, decides, find } of PROBLEMS.filter((one) => one.list === name)) {
      const isServed = (field: string) => field in list.report.itemSchema.properties;
      if (!decides.some(isServed)) continue;
      const asked = [keyName(all), ...decides, ...(areShownApart(list) ? [] : shown)];
      const context = { ...period, reader, list, most, fields: asked.filter(isServed) };
      const found = await find(context);
      const { rows, isAll, longEnded = 0 } = found;
      const facts = { list: name, ...(isAll ? {} : { more: true as const }) };
      if (rows > 0) problems.push({ problem, ...facts, rows, items: await shownRows(context, found, shown) });
      if (longEnded > 0)
        problems.push({ problem: 'long_ended_certificates', ...facts, rows: longEnded, items: [] });
    }
  });
  const [since, until] = [period.since, period.until].map((at) => rfc3339OfSeconds(at));
  return { since, until, problems, not_read: unread };
}

/** The words of the field that this panel has. */
function servedWords([field, words]: Words, { filters, itemSchema }: SourceReport): readonly string[] {
  if (!filters.includes(field)) return [];
  const { enum: known } = itemSchema.properties[field] ?? {};
  return Array.isArray(known) ? words.filter((word) => known.includes(word)) : words;
}
