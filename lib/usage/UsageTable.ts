import type { Knex } from 'knex';
import type { OwnTable } from '../database/migrations/Migrations';
import { dayOf } from '../time/time';

/** Requests with the same key are counted together. */
export interface UsageKey {
  readonly tokenId: number;
  /** Whole days since 1970 in UTC, by the database's clock. */
  readonly day: number;
  /** The name of the resource; `other` for every path that is no endpoint. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
}

export interface UsageCount extends UsageKey {
  readonly requests: number;
}

/** First digits of the statuses that the API answers with; 0 if the client left before there was one. */
const STATUS_CLASSES = [0, 2, 3, 4, 5] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** `status` is null if the client left before there was one. */
export function statusClass(status: number | null): StatusClass {
  const digit = Math.floor((status ?? 0) / 100);
  return STATUS_CLASSES.find((known) => known === digit) ?? 0;
}

/** Counts may be kept for ten years at most, in days. */
export const MOST_KEPT_DAYS = 3650;

const KEY = ['token_id', 'day', 'endpoint', 'status_class'];
const ROW = '(?, ?, ?, ?, ?)';

/** The table of the counts. Every process adds to it. */
export class UsageTable {
  readonly #own: OwnTable;

  constructor(own: OwnTable) {
    this.#own = own;
  }

  /** Adds counts to the stored ones, all or none. Rejects with a DatabaseFailure. */
  async add(counts: readonly UsageCount[]): Promise<void> {
    const { database, migrations } = this.#own;
    await migrations.ready();
    const { knex, dialect } = database;
    const table = knex.ref(this.#own.table).toString();
    const sql = `INSERT INTO ${table} (${KEY.join(', ')}, requests)
      VALUES ${counts.map(() => ROW).join(', ')}
      ${dialect.onConflictAdd(table, KEY, 'requests')}`;
    // All processes lock rows in one order, so that two seldom wait for each other.
    const bindings = counts.toSorted(byKey).flatMap(valuesOf);
    // A frozen server may run a statement when it resumes, long after this process gave it up and sent it again: outside
    // of a transaction it would count twice. A transaction that is never committed counts nothing.
    await database.transaction('usage.add', (session) => session.run((handle) => handle.raw(sql, bindings)));
  }

  /** Deletes at most so many counts of days before this one. Returns their number. */
  async removeBefore(day: number, most: number): Promise<number> {
    const { database, table } = this.#own;
    return database.query('usage.remove', (knex) =>
      database.dialect.deleteBelow(knex, table, { column: 'day', bound: day, most }),
    );
  }

  /** Returns the day by the database's clock. */
  async today(): Promise<number> {
    const { database, migrations } = this.#own;
    await migrations.ready();
    const [row] = await database.rows('usage.today', `SELECT ${database.dialect.now} AS clock`);
    return dayOf(Number(row?.clock));
  }

  /** Returns the counts of these tokens on this day and later. */
  async since(day: number, tokenIds: readonly number[]): Promise<readonly UsageCount[]> {
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
        .where('day', '>=', day),
    );
    return rows.map((row) => ({
      tokenId: Number(row.token),
      day: Number(row.day),
      endpoint: String(row.endpoint),
      statusClass: Number(row.class) as StatusClass,
      requests: Number(row.requests),
    }));
  }
}

function valuesOf({ tokenId, day, endpoint, statusClass, requests }: UsageCount): Knex.RawBinding[] {
  return [tokenId, day, endpoint, statusClass, requests];
}

function byKey(one: UsageKey, other: UsageKey): number {
  return (
    one.tokenId - other.tokenId ||
    one.day - other.day ||
    one.endpoint.localeCompare(other.endpoint) ||
    one.statusClass - other.statusClass
  );
}
