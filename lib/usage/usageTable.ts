import type { Knex } from 'knex';
import type { Database } from '../database/Database';
import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { DAY_SECONDS, dayOf } from '../time/time';
import { addRefusals } from './refusals';
import { MOST_SETTLED, settleSums } from './tokenSums';
import { STATUS_CLASSES, type StatusClass, type TokenRefusal } from './UsageRow';

/** Requests of one token on one day, at one endpoint, with one class of statuses. */
export interface UsageCount {
  readonly tokenId: number;
  /** Days since 1970 in UTC, by the database's clock. */
  readonly day: number;
  /** The endpoint's resource; `other` for unknown paths. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
  readonly requests: number;
  /** When the last of them arrived, in seconds since 1970. */
  readonly lastAt: number;
}

/** A stored count. */
export interface DayCount extends Omit<UsageCount, 'lastAt'> {
  /** Null if it is unknown. */
  readonly lastAt: number | null;
}

/** The first and the last day of a period. It ends today: later counts are from a clock that was wrong. */
export interface Period {
  readonly first: number;
  readonly last: number;
}

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
const DAY_KEY: Columns = {
  ...TOKEN_KEY,
  day: ({ day }) => day,
  endpoint: ({ endpoint }) => endpoint,
  status_class: ({ statusClass }) => statusClass,
};

/** The rows of no token have the requests of all, so that totals do not read the rows of each token. */
export const ALL_TOKENS = 0;

/**
 * Maximum counts or tokens per statement. A count binds six values; PostgreSQL accepts 65,535 values and SQLite 32,766.
 */
export const MOST_PER_STATEMENT = 5000;

/** Adds counts to the stored ones, and refusals: all of them or, if it fails, none. Rejects with a DatabaseFailure. */
export async function addUsage(
  moduleTables: ModuleTables,
  counts: readonly UsageCount[],
  refusals: readonly TokenRefusal[],
): Promise<void> {
  const { database, tables } = moduleTables;
  // A frozen server may run a statement after it resumes, when this process has long given up and sent it again.
  // Outside of a transaction it would count twice; in a transaction that is never committed it counts nothing.
  await database.transaction('usage.add', async (session) => {
    // All processes lock rows in the same order, so that two rarely wait for each other. The few rows of all
    // tokens, which all processes share, are locked last.
    await addTogether(session, database, tables.usage, DAY_KEY, counts, { last_at: ({ lastAt }) => lastAt }, [
      'last_at',
    ]);
    // A new sum is made anew before it counts, because there may be older counts.
    await addTogether(session, database, tables.usageTokens, TOKEN_KEY, counts, { settled: () => 0 });
    await addRefusals(moduleTables, session, refusals);
    await addTogether(session, database, tables.usage, { ...DAY_KEY, token_id: () => ALL_TOKENS }, counts);
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
 * Deletes counts and refusals of days that are more than `keepDays` over, and makes the sums of tokens anew. Returns
 * whether there may be more to do.
 */
export async function tidyUsage(moduleTables: ModuleTables, keepDays: number): Promise<boolean> {
  const { database, tables } = moduleTables;
  const today = await presentDay(moduleTables);
  const last = await settledDay(moduleTables, today);
  if (last === null) return false;
  const remove = (from: string, column: string, bound: number) => {
    const old = { column, bound, most: MOST_REMOVED };
    return database.query('usage.remove', (knex) => database.dialect.deleteBelow(knex, from, old));
  };
  const removed = [
    await remove(tables.usage, 'day', last - keepDays),
    await remove(tables.refusals, 'at', (last - keepDays) * DAY_SECONDS),
  ];
  const settled = await settleSums(moduleTables, today);
  return removed.includes(MOST_REMOVED) || settled === MOST_SETTLED;
}

/**
 * The day from which kept days are counted back: today if there are counts of yesterday, else the newest day before
 * with counts, because the clock may be wrong for a moment; null if there is none.
 */
async function settledDay({ database, tables }: ModuleTables, today: number): Promise<number | null> {
  const [row] = await database.query('usage.settled', (knex) =>
    knex(tables.usage).where('day', '<', today).max({ day: 'day' }),
  );
  if (row?.day === null) return null;
  const last = integerIn('usage.settled', row?.day);
  return last === today - 1 ? today : last;
}

/** Returns the present day by the database's clock, in days since 1970. @internal */
export async function presentDay({ database }: ModuleTables): Promise<number> {
  return dayOf(await database.clock());
}

/** Returns the counts of these tokens in these days. */
export async function usageDuring(moduleTables: ModuleTables, days: Period, tokenIds: readonly number[]) {
  const columns = { class: 'status_class', last: 'last_at' };
  const rows = await readDuring(moduleTables, days, tokenIds, (counts) =>
    counts.select('day', 'endpoint', 'requests', columns),
  );
  const number = (value: unknown) => integerIn('usage.read', value);
  return rows.map(
    (row): DayCount => ({
      tokenId: number(row.token),
      day: number(row.day),
      endpoint: String(row.endpoint),
      statusClass: Number(row.class) as StatusClass,
      requests: number(row.requests),
      lastAt: row.last === null ? null : number(row.last),
    }),
  );
}

/** Returns the requests of each of these tokens in these days. */
export async function requestsDuring(moduleTables: ModuleTables, days: Period, tokenIds: readonly number[]) {
  const rows = await readDuring(moduleTables, days, tokenIds, (counts) =>
    counts.sum({ requests: 'requests' }).groupBy('token_id'),
  );
  const number = (value: unknown) => integerIn('usage.read', value);
  return rows.map(({ token, requests }) => ({ tokenId: number(token), requests: number(requests) }));
}

/** The days of one number in `daysDuring`, which JavaScript reads exactly. */
const DAYS_OF_NUMBER = 52;

/** Returns the days in this period on which each of these tokens was used. */
export async function daysDuring(parts: ModuleTables, period: Period, tokenIds: readonly number[]) {
  const { knex } = parts.database;
  const count = Math.ceil((period.last - period.first + 1) / DAYS_OF_NUMBER);
  const ends = Array.from({ length: count }, (_, index) => period.last - index * DAYS_OF_NUMBER);
  // A bit for each day: a row for each would be thirty times as many.
  const bits = (end: number) => `SUM(DISTINCT CASE WHEN day > ${end - DAYS_OF_NUMBER} AND day <= ${end}
    THEN ${2 ** (DAYS_OF_NUMBER - 1)} >> (${end} - day) END)`;
  const columns = Object.fromEntries(ends.map((end) => [`to_${end}`, knex.raw(bits(end))]));
  const rows = await readDuring(parts, period, tokenIds, (counts) =>
    counts.select(columns).groupBy('token_id'),
  );
  const days = new Map<number, readonly number[]>();
  for (const row of rows) {
    const number = (name: string) => integerIn('usage.read', row[name] ?? 0);
    const used: number[] = [];
    for (const end of ends) {
      const shown = number(`to_${end}`).toString(2).padStart(DAYS_OF_NUMBER, '0');
      for (let at = shown.indexOf('1'); at !== -1; at = shown.indexOf('1', at + 1)) used.push(end - at);
    }
    days.set(number('token'), used);
  }
  return days;
}

/** Returns the last days before today on which any token was used, the newest first. */
export async function usedDays({ database, tables }: ModuleTables, most: number) {
  const isOver = `day + 1 <= ${database.dialect.now} / ${DAY_SECONDS}`;
  const ofAll = (knex: Knex) => knex(tables.usage).distinct({ day: 'day' }).where({ token_id: ALL_TOKENS });
  const rows = await database.query('usage.days', (knex) =>
    ofAll(knex).whereRaw(isOver).orderBy('day', 'desc').limit(most),
  );
  return rows.map(({ day }) => integerIn('usage.days', day));
}

async function readDuring(
  { database, tables }: ModuleTables,
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

/** Maximum old counts that are deleted after one write. */
const MOST_REMOVED = 5000;

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
