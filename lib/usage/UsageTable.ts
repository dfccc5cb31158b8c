import type { OwnTable } from '../database/migrations/Migrations';
import { wholeNumber } from '../database/wholeNumber';
import { DAY_SECONDS, HOUR_SECONDS } from '../time/time';

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
}

/** The count of a day. */
export interface DayCount extends Omit<UsageCount, 'hour'> {
  /** Days since 1970 in UTC, by the database's clock. */
  readonly day: number;
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

const HOURS_PER_DAY = DAY_SECONDS / HOUR_SECONDS;

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
const HOUR_KEY = ['hour', 'status_class'];

/**
 * Maximum counts or tokens per statement. A count binds five values; PostgreSQL accepts 65,535 values and SQLite 32,766.
 */
export const MOST_PER_STATEMENT = 5000;

interface UsageTables extends OwnTable {
  /** The name of the table of the totals by hour. */
  readonly hours: string;
}

/** The tables of the usage counts, shared by all processes: by token, day, endpoint and status, and totals by hour. */
export class UsageTable {
  readonly #own: UsageTables;

  constructor(own: UsageTables) {
    this.#own = own;
  }

  /** Adds counts to the stored ones: all of them or, if it fails, none. Rejects with a DatabaseFailure. */
  async add(counts: readonly UsageCount[]): Promise<void> {
    const { database, migrations, table, hours } = this.#own;
    await migrations.ready();
    const days = sums(counts, ({ tokenId, hour, endpoint, statusClass }) => [
      tokenId,
      dayOfHour(hour),
      endpoint,
      statusClass,
    ]);
    const totals = sums(counts, ({ hour, statusClass }) => [hour, statusClass]);
    // A frozen server may run a statement after it resumes, when this process has long given up and sent it again.
    // Outside of a transaction it would count twice; in a transaction that is never committed it counts nothing.
    await database.transaction('usage.add', async (session) => {
      // All processes lock rows in the same order, so that two rarely wait for each other. The few rows of the hour,
      // which all processes share, are locked last.
      await session.run((handle) => handle.raw(...this.#addition(table, DAY_KEY, days)));
      await session.run((handle) => handle.raw(...this.#addition(hours, HOUR_KEY, totals)));
    });
  }

  #addition(name: string, key: readonly string[], rows: readonly Row[]): [sql: string, bindings: Row] {
    const { knex, dialect } = this.#own.database;
    const table = knex.ref(name).toString();
    const row = `(${[...key, 'requests'].map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${table} (${key.join(', ')}, requests)
      VALUES ${rows.map(() => row).join(', ')}
      ${dialect.onConflictAdd(table, key, 'requests')}`;
    return [sql, rows.flat()];
  }

  /**
   * Deletes counts of days that are more than `keepDays` over, at most `most` of them, and the totals by hour that no
   * total needs any more. Returns the number of deleted counts.
   */
  async removeOld(keepDays: number, most: number): Promise<number> {
    const { database, table, hours } = this.#own;
    const today = await this.#settledDay();
    if (today === null) return 0;
    const remove = (from: string, column: string, bound: number) =>
      database.query('usage.remove', (knex) =>
        database.dialect.deleteBelow(knex, from, { column, bound, most }),
      );
    await remove(hours, 'hour', (today - KEPT_TOTAL_DAYS) * HOURS_PER_DAY);
    return remove(table, 'day', today - keepDays);
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
        })
        .whereIn('token_id', tokenIds)
        .whereBetween('day', [days.first, days.last]),
    );
    return rows.map((row) => ({
      tokenId: wholeNumber('usage.read', row.token),
      day: wholeNumber('usage.read', row.day),
      endpoint: String(row.endpoint),
      statusClass: Number(row.class) as StatusClass,
      requests: wholeNumber('usage.read', row.requests),
    }));
  }

  /** Returns the counts of a day, of all tokens together, as those of the token 0. */
  async onDay(day: number): Promise<readonly DayCount[]> {
    const { database, migrations, table } = this.#own;
    await migrations.ready();
    const rows = await database.reading('usage').rows(
      'usage.day',
      `SELECT endpoint, status_class AS class, SUM(requests) AS requests
      FROM ${database.knex.ref(table).toString()} WHERE day = ${day} GROUP BY endpoint, status_class`,
    );
    return rows.map((row) => ({
      tokenId: 0,
      day,
      endpoint: String(row.endpoint),
      statusClass: Number(row.class) as StatusClass,
      requests: wholeNumber('usage.day', row.requests),
    }));
  }

  /** Returns the requests of all tokens together in these hours, which must be within the last two days. */
  async totalOfHours(hours: Period): Promise<UsageTotal> {
    return this.#total(this.#own.hours, 'hour', hours);
  }

  /** Returns the requests of all tokens together in these days. */
  async totalOfDays(days: Period): Promise<UsageTotal> {
    return this.#total(this.#own.table, 'day', days);
  }

  // Like every statement that may read many rows, it lets the statements of requests go first.
  async #total(name: string, column: string, { first, last }: Period): Promise<UsageTotal> {
    const { database } = this.#own;
    const [row] = await database.reading('usage').rows(
      'usage.total',
      `SELECT COALESCE(SUM(requests), 0) AS requests,
        COALESCE(SUM(CASE WHEN status_class >= ${FIRST_ERROR} THEN requests END), 0) AS errors
      FROM ${database.knex.ref(name).toString()} WHERE ${column} BETWEEN ${first} AND ${last}`,
    );
    return {
      requests: wholeNumber('usage.total', row?.requests),
      errors: wholeNumber('usage.total', row?.errors),
    };
  }
}

/** The days whose totals by hour are kept, besides today. */
const KEPT_TOTAL_DAYS = 2;

type Row = (string | number)[];

/** Adds up the requests of counts with the same key. Returns the keys with their sums, in the order of the keys. */
function sums(counts: readonly UsageCount[], keyOf: (count: UsageCount) => Row): readonly Row[] {
  const found = new Map<string, { readonly key: Row; requests: number }>();
  for (const count of counts) {
    const key = keyOf(count);
    const sum = found.get(key.join(' '));
    if (sum) sum.requests += count.requests;
    else found.set(key.join(' '), { key, requests: count.requests });
  }
  return [...found.values()]
    .toSorted((one, other) => compareKeys(one.key, other.key))
    .map(({ key, requests }) => [...key, requests]);
}

function compareKeys(one: Row, other: Row): number {
  for (const [index, part] of one.entries()) {
    const difference = compareParts(part, other[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}

function compareParts(one: string | number, other: string | number): number {
  return typeof one === 'number' ? one - Number(other) : one.localeCompare(String(other));
}
