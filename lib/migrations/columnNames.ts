import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';

/** The names of a table's columns, as the session sees them; none where there is no such table. */
export async function columnNames(
  session: Session,
  dialect: Dialect,
  table: string,
): Promise<readonly string[]> {
  const result = await session.run((knex) => knex.raw(dialect.columnsSql, [table]));
  return dialect.rows(result).map(({ name }) => String(name));
}
