import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';

/** The names of a table's indexes, as the session sees them. */
export async function indexNames(
  session: Session,
  dialect: Dialect,
  table: string,
): Promise<readonly string[]> {
  const result = await session.run((knex) => knex.raw(dialect.indexesSql, [table]));
  return dialect.rows(result).map(({ name }) => String(name));
}
