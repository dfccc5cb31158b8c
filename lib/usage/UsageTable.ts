import type { Knex } from 'knex';
import type { OwnTable } from '../database/migrations/Migrations';
import { dayOf } from '../time/time';

/** Requests with the same key are counted together. */
export interface UsageKey {
  readonly tokenId: number;
  /** Days since 1970 in UTC, by the database's clock. */
  readonly day: number;
  /** The endpoint's resource; `other` for unknown paths. */
  readonly endpoint: string;
  readonly statusClass: StatusClass;
}

export interface UsageCount extends UsageKey {
  readonly requests: number;
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

const KEY = ['token_id', 'day', 'endpoint', 'status_class'];
const ROW = '(?, ?, ?, ?, ?)';

/** The table of the usage counts, shared by all processes. */
export class UsageTable {
  readonly #own: OwnTable;

  constructor(own: OwnTable) {
    this.#own = own;
  }

  /** Adds counts to the stored ones: all of them or, if it fails, none. Rejects with a DatabaseFailure. */
  async add(counts: readonly UsageCount[]): Promise<void> {
    const { database, migrations } = this.#own;
    await migrations.ready();
    const { knex, dialect } = database;
    const table = knex.ref(this.#own.table).toString();
    const sql = `INSERT INTO ${table} (${KEY.join(', ')}, requests)
      VALUES ${counts.map(() => ROW).join(', ')}
      ${dialect.onConflictAdd(table, KEY, 'requests')}`;
    // All processes lock rows in the same order, so that two rarely wait for each other.
    const bindings = counts.toSorted(byKey).flatMap(valuesOf);
    // A frozen server may run a statement after it resumes, when this process has long given up and sent it again.
    // Outside of a transaction it would count twice; in a transaction that is never committed it counts nothing.
    await database.transaction('usage.add', (session) => session.run((handle) => handle.raw(sql, bindings)));
  }

  /** Deletes counts of earlier days, at most `most` of them. Returns the number of deleted counts. */
  async removeBefore(day: number, most: number): Promise<number> {
    const { database, table } = this.#own;
    return database.query('usage.remove', (knex) =>
      database.dialect.deleteBelow(knex, table, { column: 'day', bound: day, most }),
    );
  }

  /** Returns today by the database's clock. */
  async today(): Promise<number> {
    const { database, migrations } = this.#own;
    await migrations.ready();
    const [row] = await database.rows('usage.today', `SELECT ${database.dialect.now} AS clock`);
    return dayOf(Number(row?.clock));
  }

  /** Returns the counts of these tokens since this day. */
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
