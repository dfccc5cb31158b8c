import type { OwnTable } from '../database/migrations/Migrations';
import { wholeNumber } from '../database/wholeNumber';

/** The days of the sums, and of the totals of all tokens, today included. */
export const TOTAL_DAYS = 30;

/** How many sums are made anew by one statement. */
export const MOST_SETTLED = 1000;

interface SumTables extends OwnTable {
  /** The name of the table of the counts by token and day. */
  readonly counts: string;
}

/**
 * The requests of each token in the last 30 days. Each write of counts adds to its sum. A sum that was not made anew on
 * this day may still contain days before these.
 */
export class TokenSums {
  readonly #own: SumTables;

  constructor(own: SumTables) {
    this.#own = own;
  }

  /** Makes sums anew that were not on this day, at most MOST_SETTLED, and returns how many. */
  async settle(today: number): Promise<number> {
    const { database, table, counts } = this.#own;
    // A sum of a later day is from a clock that was wrong.
    const found = await database.query('usage.settle', (knex) =>
      knex(table).select({ id: 'token_id' }).whereNot({ settled: today }).limit(MOST_SETTLED),
    );
    const ids = found.map(({ id }) => wholeNumber('usage.settle', id)).toSorted((one, other) => one - other);
    if (ids.length === 0) return 0;
    const [sums, rows] = [table, counts].map((name) => database.knex.ref(name).toString());
    const sum = `SELECT COALESCE(SUM(${rows}.requests), 0) FROM ${rows}
      WHERE ${rows}.token_id = ${sums}.token_id AND ${rows}.day BETWEEN ${today - TOTAL_DAYS + 1} AND ${today}`;
    await database.transaction('usage.settle', async (session) => {
      // Once the rows are locked, the next statement sees all counts that were added to their sums.
      await session.run<unknown>((knex) =>
        knex(table).select('token_id').whereIn('token_id', ids).forUpdate(),
      );
      await session.rows(
        `UPDATE ${sums} SET requests = (${sum}), settled = ${today} WHERE token_id IN (${ids.join(', ')})`,
      );
    });
    return ids.length;
  }

  /** Returns the sums of these tokens, or of the busiest ones, the highest first. */
  async read(which: { readonly ids: readonly number[] } | { readonly most: number }) {
    const { database, migrations, table } = this.#own;
    await migrations.ready();
    const rows = await database.query('usage.sums', (knex) => {
      const sums = knex(table).select({ token: 'token_id', requests: 'requests' });
      if ('ids' in which) return sums.whereIn('token_id', which.ids);
      return sums.where('requests', '>', 0).orderBy('requests', 'desc').limit(which.most);
    });
    return rows.map(({ token, requests }) => ({
      tokenId: wholeNumber('usage.sums', token),
      requests: wholeNumber('usage.sums', requests),
    }));
  }
}
