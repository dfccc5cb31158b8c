import type { Knex } from 'knex';
import type { Database } from '../database/Database';
import { integerIn } from '../database/DatabaseFailure';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/time';
import { addRefusals, type TokenRefusal } from './refusals';
import { MOST_SETTLED, settleSums, TOTAL_DAYS } from './tokenSums';

/** Requests of one token in one hour, at one endpoint, with one class of statuses. */
export interface UsageCount {
  readonly tokenId: number;
  /** Hours since 1970, by the database's clock. */
  readonly hour: number;
  /** The endpoint's resource; `other` for unknown paths. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
  readonly requests: number;
  /** When the last of them arrived, in seconds since 1970. */
  readonly lastAt: number;
}

/** The count of a day. */
export interface DayCount extends Omit<UsageCount, 'hour' | 'lastAt'> {
  /** Days since 1970 in UTC, by the database's clock. */
  readonly day: number;
  /** Null if it is unknown. */
  readonly lastAt: number | null;
}

/** The first and the last hour or day of a period. It ends now: later counts are from a clock that was wrong. */
export interface Period {
  readonly first: number;
  readonly last: number;
}

/** Requests in a period, of all tokens together. */
export interface UsageTotal {
  readonly requests: number;
  /** Those of them that were answered with a status of 400 or above. */
  readonly errors: number;
}

export const HOURS_PER_DAY = DAY_SECONDS / HOUR_SECONDS;

/** The day of an hour, both since 1970 in UTC. */
export function dayOfHour(hour: number): number {
  return Math.floor(hour / HOURS_PER_DAY);
}

/** The first digits of the API's statuses; 0 if the client disconnected before a status was sent. */
const STATUS_CLASSES = [0, 2, 3, 4, 5] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** `status` is null if the client disconnected before a status was sent. */
export function statusClass(status: number | null): StatusClass {
  const digit = Math.floor((status ?? 0) / 100);
  return STATUS_CLASSES.find((known) => known === digit) ?? 0;
}

/** How many days counts may be kept at most: ten years. */
export const MOST_KEPT_DAYS = 3650;

/** Columns, with their values in the row of a count. */
type Columns = Readonly<Record<string, (count: UsageCount) => string | number>>;

const TOKEN_KEY: Columns = { token_id: ({ tokenId }) => tokenId };
const ENDPOINT_KEY: Columns = {
  endpoint: ({ endpoint }) => endpoint,
  status_class: ({ statusClass }) => statusClass,
};
const DAY_KEY: Columns = { ...TOKEN_KEY, day: ({ hour }) => dayOfHour(hour), ...ENDPOINT_KEY };
const HOUR_KEY: Columns = { hour: ({ hour }) => hour, ...ENDPOINT_KEY };

/**
 * Maximum counts or tokens per statement. A count binds six values; PostgreSQL accepts 65,535 values and SQLite 32,766.
 */
export const MOST_PER_STATEMENT = 5000;

// The tables of the usage counts, shared by all processes: by token, day, endpoint and status, and totals by hour.

/** Adds counts to the stored ones, and refusals: all of them or, if it fails, none. Rejects with a DatabaseFailure. */
export async function addUsage(
  own: OwnTables,
  counts: readonly UsageCount[],
  refusals: readonly TokenRefusal[],
): Promise<void> {
  const { database, tables } = own;
  // A frozen server may run a statement after it resumes, when this process has long given up and sent it again.
  // Outside of a transaction it would count twice; in a transaction that is never committed it counts nothing.
  await database.transaction('usage.add', async (session) => {
    // All processes lock rows in the same order, so that two rarely wait for each other. The few rows of the hour,
    // which all processes share, are locked last.
    await addTogether(session, database, tables.usage, DAY_KEY, counts, { last_at: ({ lastAt }) => lastAt }, [
      'last_at',
    ]);
    // A new sum is made anew before it counts, because there may be older counts.
    await addTogether(session, database, tables.usageTokens, TOKEN_KEY, counts, { settled: () => 0 });
    await addRefusals(own, session, refusals);
    await addTogether(session, database, tables.usageHours, HOUR_KEY, counts);
  });
}

/** Adds to the rows with these keys. `more` are the other columns of a new row; an old one takes over `latest`. */
async function addTogether(
  session: Session,
  { knex, dialect }: Database,
  name: string,
  key: Columns,
  counts: readonly UsageCount[],
  more: Columns = {},
  latest: readonly string[] = [],
): Promise<void> {
  const valuesIn = (columns: Columns, count: UsageCount) => Object.values(columns).map((of) => of(count));
  const sums = new Map<string, UsageCount>();
  for (const count of counts) addTo(sums, valuesIn(key, count).join(' '), count);
  if (sums.size === 0) return;
  const table = knex.ref(name).toString();
  const columns: Columns = { ...key, requests: ({ requests }) => requests, ...more };
  const rows = [...sums]
    .toSorted(([one], [other]) => inOrder(one, other))
    .map(([, sum]) => valuesIn(columns, sum));
  const sql = `INSERT INTO ${table} (${Object.keys(columns).join(', ')})
    VALUES ${rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')}
    ${dialect.onConflictAdd(table, Object.keys(key), 'requests', latest)}`;
  await session.run((handle) => handle.raw(sql, rows.flat()));
}

/**
 * Deletes counts and refusals of days that are more than `keepDays` over, and the totals by hour that no total needs
 * any more, and makes the sums of tokens anew. Returns whether there may be more to do.
 */
export async function tidyUsage(own: OwnTables, keepDays: number): Promise<boolean> {
  const { database, tables } = own;
  const today = await settledDay(own);
  if (today === null) return false;
  const remove = (from: string, column: string, bound: number) => {
    const old = { column, bound, most: MOST_REMOVED };
    return database.query('usage.remove', (knex) => database.dialect.deleteBelow(knex, from, old));
  };
  const keptTotals = Math.max(KEPT_TOTAL_DAYS, Math.min(keepDays, TOTAL_DAYS));
  await remove(tables.usageHours, 'hour', (today - keptTotals) * HOURS_PER_DAY);
  const removed = [
    await remove(tables.usage, 'day', today - keepDays),
    await remove(tables.refusals, 'at', (today - keepDays) * DAY_SECONDS),
  ];
  const settled = await settleSums(own, dayOfHour(await presentHour(own)));
  return removed.includes(MOST_REMOVED) || settled === MOST_SETTLED;
}

/**
 * The day of the newest count that was an hour ago; null if there is none. If the clock is wrong for a moment, all
 * counts may seem old: this day is then the right one, or one before it.
 */
async function settledDay(own: OwnTables): Promise<number | null> {
  const now = await presentHour(own);
  const [row] = await own.database.query('usage.settled', (knex) =>
    knex(own.tables.usageHours)
      .where('hour', '<', now - 1)
      .max({ hour: 'hour' }),
  );
  return row?.hour === null ? null : dayOfHour(integerIn('usage.settled', row?.hour));
}

/** Returns the present hour by the database's clock. @internal */
export async function presentHour({ database }: OwnTables): Promise<number> {
  return Math.floor((await database.clock()) / HOUR_SECONDS);
}

/** Returns the counts of these tokens in these days. */
export async function usageDuring(own: OwnTables, days: Period, tokenIds: readonly number[]) {
  const columns = { class: 'status_class', last: 'last_at' };
  const rows = await readDuring(own, days, tokenIds, (counts) =>
    counts.select('day', 'endpoint', 'requests', columns),
  );
  return rows.map((row) => ({
    ...dayCount('usage.read', row),
    tokenId: integerIn('usage.read', row.token),
    lastAt: row.last === null ? null : integerIn('usage.read', row.last),
  }));
}

/** Returns the requests of each of these tokens in these days. */
export async function requestsDuring(own: OwnTables, days: Period, tokenIds: readonly number[]) {
  const rows = await readDuring(own, days, tokenIds, (counts) =>
    counts.sum({ requests: 'requests' }).groupBy('token_id'),
  );
  const number = (value: unknown) => integerIn('usage.read', value);
  return rows.map(({ token, requests }) => ({ tokenId: number(token), requests: number(requests) }));
}

async function readDuring(
  { database, tables }: OwnTables,
  { first, last }: Period,
  tokenIds: readonly number[],
  select: (counts: Knex.QueryBuilder) => Knex.QueryBuilder,
) {
  const found: Readonly<Record<string, unknown>>[][] = [];
  for (let from = 0; from < tokenIds.length; from += MOST_PER_STATEMENT) {
    const ids = tokenIds.slice(from, from + MOST_PER_STATEMENT);
    const ofTokens = (counts: Knex.QueryBuilder) =>
      counts.select({ token: 'token_id' }).whereIn('token_id', ids).whereBetween('day', [first, last]);
    found.push(await database.query('usage.read', (knex) => select(ofTokens(knex(tables.usage)))));
  }
  return found.flat();
}

/** Returns the requests of all tokens together in these hours, by day, endpoint and class of statuses. @internal */
export async function usageTotals({ database, tables }: OwnTables, { first, last }: Period) {
  const day = `FLOOR(hour / ${HOURS_PER_DAY}.0)`;
  // Like every statement that may read many rows, it lets the statements of requests go first.
  const rows = await database.reading('usage').rows(
    'usage.totals',
    `SELECT ${day} AS day, endpoint, status_class AS class, SUM(requests) AS requests
    FROM ${database.knex.ref(tables.usageHours).toString()} WHERE hour BETWEEN ${first} AND ${last}
    GROUP BY ${day}, endpoint, status_class`,
  );
  return rows.map((row) => dayCount('usage.totals', row));
}

function dayCount(query: string, row: Readonly<Record<string, unknown>>) {
  return {
    day: integerIn(query, row.day),
    endpoint: String(row.endpoint),
    statusClass: Number(row.class) as StatusClass,
    requests: integerIn(query, row.requests),
  };
}

/** Maximum old counts that are deleted after one write. */
const MOST_REMOVED = 5000;

/** The fewest days whose totals by hour are kept, besides today. */
const KEPT_TOTAL_DAYS = 2;

/** Adds a count to the one with the same key, if there is one. */
export function addTo<T extends Pick<DayCount, 'requests' | 'lastAt'>>(
  sums: Map<string, T>,
  key: string,
  count: T,
): void {
  const { requests = 0, lastAt = null } = sums.get(key) ?? {};
  const latest = lastAt === null ? count.lastAt : Math.max(lastAt, count.lastAt ?? 0);
  sums.set(key, { ...count, requests: requests + count.requests, lastAt: latest });
}

/** The order of keys, by which a number is before a larger one. */
const { compare: inOrder } = new Intl.Collator('en', { numeric: true });
