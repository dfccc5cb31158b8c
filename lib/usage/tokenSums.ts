import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import { TOTAL_DAYS } from './UsageRow';

/** How many sums are made anew by one statement. */
export const MOST_SETTLED = 1000;

// The requests of each token in the last 30 days. Each write of counts adds to its sum. A sum that was not made anew on
// this day may still contain days before these.

/** Makes sums anew that were not on this day, at most MOST_SETTLED, and returns how many. */
export async function settleSums({ database, tables: { usageTokens, usage } }: ModuleTables, today: number) {
  // A sum of a later day is from a clock that was wrong.
  const found = await database.query('usage.settle', (knex) =>
    knex(usageTokens).select({ id: 'token_id' }).whereNot({ settled: today }).limit(MOST_SETTLED),
  );
  const ids = found.map(({ id }) => integerIn('usage.settle', id)).toSorted((one, other) => one - other);
  if (ids.length === 0) return 0;
  const [sums, rows] = [usageTokens, usage].map((name) => database.knex.ref(name).toString());
  const sum = `SELECT COALESCE(SUM(${rows}.requests), 0) FROM ${rows}
    WHERE ${rows}.token_id = ${sums}.token_id AND ${rows}.day BETWEEN ${today - TOTAL_DAYS + 1} AND ${today}`;
  await database.transaction('usage.settle', async (session) => {
    // Once the rows are locked, the next statement sees all counts that were added to their sums.
    await session.run<unknown>((knex) =>
      knex(usageTokens).select('token_id').whereIn('token_id', ids).forUpdate(),
    );
    await session.rows(
      `UPDATE ${sums} SET requests = (${sum}), settled = ${today} WHERE token_id IN (${ids.join(', ')})`,
    );
  });
  return ids.length;
}

/** Returns the sums of the busiest tokens, the highest first. */
export async function busiestTokens({ database, tables }: ModuleTables, most: number) {
  const rows = await database.query('usage.sums', (knex) =>
    knex(tables.usageTokens)
      .select({ token: 'token_id', requests: 'requests' })
      .where('requests', '>', 0)
      .orderBy('requests', 'desc')
      .limit(most),
  );
  const number = (value: unknown) => integerIn('usage.sums', value);
  return rows.map(({ token, requests }) => [number(token), number(requests)] as const);
}
