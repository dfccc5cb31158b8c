import type { OwnTable } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { wholeNumber } from '../database/wholeNumber';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/time';
import { RefusalTable, type TokenRefusal } from './RefusalTable';
import { MOST_SETTLED, TOTAL_DAYS, TokenSums } from './TokenSums';

/** Requests with the same key are counted together. */
export interface UsageKey {
  readonly tokenId: number;
  /** Hours since 1970, by the database's clock. */
  readonly hour: number;
  /** The endpoint's resource; `other` for unknown paths. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
}

export interface UsageCount extends UsageKey {
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

/** The first class of statuses that are errors. */
export const FIRST_ERROR = 4;

const DAY_KEY = ['token_id', 'day', 'endpoint', 'status_class'];
const HOUR_KEY = ['hour', 'endpoint', 'status_class'];

/**
 * Maximum counts or tokens per statement. A count binds six values; PostgreSQL accepts 65,535 values and SQLite 32,766.
 */
export const MOST_PER_STATEMENT = 5000;

/** The tables of the counts: `table` has those by token, day, endpoint and status. */
export interface UsageTables extends OwnTable {
  /** The name of the table of the totals by hour. */
  readonly hours: string;
  /** The name of the table of the sums by token. */
  readonly sums: string;
  /** The name of the table of the refusals. */
  readonly refusals: string;
}

/** The tables of the usage counts, shared by all processes: by token, day, endpoint and status, and totals by hour. */
export class UsageTable {
  readonly #own: UsageTables;
  readonly sums: TokenSums;
  readonly refusals: RefusalTable;

  constructor(own: UsageTables) {
    this.#own = own;
    this.sums = new TokenSums({ ...own, table: own.sums, counts: own.table });
    this.refusals = new RefusalTable({ ...own, table: own.refusals });
  }

  /** Adds counts to the stored ones, and refusals: all of them or, if it fails, none. Rejects with a DatabaseFailure. */
  async add(counts: readonly UsageCount[], refusals: readonly TokenRefusal[]): Promise<void> {
    const { database, migrations, table, hours } = this.#own;
    await migrations.ready();
    const days = summed(counts, ({ tokenId, hour, endpoint, statusClass }) => [
      tokenId,
      dayOfHour(hour),
      endpoint,
      statusClass,
    ]);
    const totals = summed(counts, ({ hour, endpoint, statusClass }) => [hour, endpoint, statusClass]);
    const tokens = summed(counts, ({ tokenId }) => [tokenId]);
    // A frozen server may run a statement after it resumes, when this process has long given up and sent it again.
    // Outside of a transaction it would count twice; in a transaction that is never committed it counts nothing.
    await database.transaction('usage.add', async (session) => {
      // All processes lock rows in the same order, so that two rarely wait for each other. The few rows of the hour,
      // which all processes share, are locked last.
      await this.#add(session, table, DAY_KEY, days, ({ lastAt }) => ({ last_at: lastAt }), ['last_at']);
      // A new sum is made anew before it counts, because there may be older counts.
      await this.#add(session, this.#own.sums, ['token_id'], tokens, () => ({ settled: 0 }));
      await this.refusals.add(session, refusals);
      await this.#add(session, hours, HOUR_KEY, totals);
    });
  }

  /** Adds to the rows with these keys. `more` are the other columns of a new row; an old one takes over `latest`. */
  async #add(
    session: Session,
    name: string,
    key: readonly string[],
    sums: readonly Sum[],
    more: (sum: Sum) => Readonly<Record<string, number>> = () => ({}),
    latest: readonly string[] = [],
  ): Promise<void> {
    const [first] = sums;
    if (!first) return;
    const { knex, dialect } = this.#own.database;
    const table = knex.ref(name).toString();
    const columns = [...key, 'requests', ...Object.keys(more(first))];
    const sql = `INSERT INTO ${table} (${columns.join(', ')})
      VALUES ${sums.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ')}
      ${dialect.onConflictAdd(table, key, 'requests', latest)}`;
    const values = sums.flatMap((sum) => [...sum.key, sum.requests, ...Object.values(more(sum))]);
    await session.run((handle) => handle.raw(sql, values));
  }

  /**
   * Deletes counts and refusals of days that are more than `keepDays` over, and the totals by hour that no total needs
   * any more, and makes the sums of tokens anew. Returns whether there may be more to do.
   */
  async tidy(keepDays: number): Promise<boolean> {
    const { database, table, hours, refusals } = this.#own;
    const today = await this.#settledDay();
    if (today === null) return false;
    const remove = (from: string, column: string, bound: number) => {
      const old = { column, bound, most: MOST_REMOVED };
      return database.query('usage.remove', (knex) => database.dialect.deleteBelow(knex, from, old));
    };
    const keptTotals = Math.max(KEPT_TOTAL_DAYS, Math.min(keepDays, TOTAL_DAYS));
    await remove(hours, 'hour', (today - keptTotals) * HOURS_PER_DAY);
    const removed = [
      await remove(table, 'day', today - keepDays),
      await remove(refusals, 'at', (today - keepDays) * DAY_SECONDS),
    ];
    const settled = await this.sums.settle(dayOfHour(await this.hour()));
    return removed.includes(MOST_REMOVED) || settled === MOST_SETTLED;
  }

  /**
   * The day of the newest count that was an hour ago; null if there is none. If the clock is wrong for a moment, all
   * counts may seem old: this day is then the right one, or one before it.
   */
  async #settledDay(): Promise<number | null> {
    const { database, hours } = this.#own;
    const now = await this.hour();
    const [row] = await database.query('usage.settled', (knex) =>
      knex(hours)
        .where('hour', '<', now - 1)
        .max({ hour: 'hour' }),
    );
    return row?.hour === null ? null : dayOfHour(wholeNumber('usage.settled', row?.hour));
  }

  /** Returns the present hour by the database's clock. */
  async hour(): Promise<number> {
    const { database, migrations } = this.#own;
    await migrations.ready();
    return Math.floor((await database.clock()) / HOUR_SECONDS);
  }

  /** Returns the counts of these tokens in these days. */
  async during(days: Period, tokenIds: readonly number[]): Promise<readonly DayCount[]> {
    const found: (readonly DayCount[])[] = [];
    for (let from = 0; from < tokenIds.length; from += MOST_PER_STATEMENT)
      found.push(await this.#during(days, tokenIds.slice(from, from + MOST_PER_STATEMENT)));
    return found.flat();
  }

  async #during(days: Period, tokenIds: readonly number[]): Promise<readonly DayCount[]> {
    const { database, table } = this.#own;
    const rows = await database.query('usage.read', (knex) =>
      knex(table)
        .select({
          token: 'token_id',
          day: 'day',
          endpoint: 'endpoint',
          class: 'status_class',
          requests: 'requests',
          last: 'last_at',
        })
        .whereIn('token_id', tokenIds)
        .whereBetween('day', [days.first, days.last]),
    );
    return rows.map((row) => ({
      ...dayCount('usage.read', row),
      tokenId: wholeNumber('usage.read', row.token),
      lastAt: row.last === null ? null : wholeNumber('usage.read', row.last),
    }));
  }

  // Like every statement that may read many rows, the next two let the statements of requests go first.

  /** Returns the requests of all tokens together in these hours. */
  async total({ first, last }: Period): Promise<UsageTotal> {
    const [row] = await this.#own.database.reading('usage').rows(
      'usage.total',
      `SELECT COALESCE(SUM(requests), 0) AS requests,
        COALESCE(SUM(CASE WHEN status_class >= ${FIRST_ERROR} THEN requests END), 0) AS errors
      FROM ${this.#hours} WHERE hour BETWEEN ${first} AND ${last}`,
    );
    return {
      requests: wholeNumber('usage.total', row?.requests),
      errors: wholeNumber('usage.total', row?.errors),
    };
  }

  /** Returns the same by day, endpoint and class of statuses. */
  async totals({ first, last }: Period): Promise<readonly Omit<DayCount, 'tokenId' | 'lastAt'>[]> {
    const day = `FLOOR(hour / ${HOURS_PER_DAY}.0)`;
    const rows = await this.#own.database.reading('usage').rows(
      'usage.totals',
      `SELECT ${day} AS day, endpoint, status_class AS class, SUM(requests) AS requests
      FROM ${this.#hours} WHERE hour BETWEEN ${first} AND ${last} GROUP BY ${day}, endpoint, status_class`,
    );
    return rows.map((row) => dayCount('usage.totals', row));
  }

  get #hours(): string {
    return this.#own.database.knex.ref(this.#own.hours).toString();
  }
}

function dayCount(query: string, row: Readonly<Record<string, unknown>>) {
  return {
    day: wholeNumber(query, row.day),
    endpoint: String(row.endpoint),
    statusClass: Number(row.class) as StatusClass,
    requests: wholeNumber(query, row.requests),
  };
}

/** Maximum old counts that are deleted after one write. */
const MOST_REMOVED = 5000;

/** The fewest days whose totals by hour are kept, besides today. */
const KEPT_TOTAL_DAYS = 2;

type Key = readonly (string | number)[];

/** Counts with the same key, added up. */
interface Sum {
  readonly key: Key;
  readonly requests: number;
  readonly lastAt: number;
}

/** Adds up the requests of counts with the same key. Returns the sums in the order of their keys. */
function summed(counts: readonly UsageCount[], keyOf: (count: UsageCount) => Key): readonly Sum[] {
  const found = new Map<string, Sum>();
  for (const count of counts) {
    const key = keyOf(count);
    const { requests = 0, lastAt = 0 } = found.get(key.join(' ')) ?? {};
    found.set(key.join(' '), {
      key,
      requests: requests + count.requests,
      lastAt: Math.max(lastAt, count.lastAt),
    });
  }
  return [...found.values()].toSorted((one, other) => compareKeys(one.key, other.key));
}

function compareKeys(one: Key, other: Key): number {
  for (const [index, part] of one.entries()) {
    const difference = compareParts(part, other[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareParts(one: string | number, other: string | number): number {
  return typeof one === 'number' ? one - Number(other) : one.localeCompare(String(other));
}
