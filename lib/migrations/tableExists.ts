import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';

/** Whether a table of this name is there, as the session sees it. */
export async function tableExists(session: Session, dialect: Dialect, name: string): Promise<boolean> {
  const result = await session.run((knex) => knex.raw(dialect.columnsSql, [name]));
  return dialect.rows(result).length > 0;
}
