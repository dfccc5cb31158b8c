import type { Knex } from 'knex';
import type { Database } from './Database';

/**
 * Narrows a query to the rows whose text in a column of the module's own is exactly this one. The column's collation may
 * take Ann, ann and änn for equal.
 */
export function whereExactly<T extends Knex.QueryBuilder>(
  query: T,
  { dialect, knex }: Pick<Database, 'dialect' | 'knex'>,
  column: string,
  text: string,
): T {
  const compared = dialect.compareKey({ name: column, type: 'character varying' });
  const { left, right } = compared.exactly ?? compared;
  // The first condition uses an index, the second is exact.
  query.where({ [column]: text }).where(knex.raw(`${left} = ${right}`, [column, text]));
  return query;
}
