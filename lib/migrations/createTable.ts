import type { Knex } from 'knex';
import type { Dialect } from '../database/Dialect';
import type { Session } from '../database/Session';
import { tableExists } from './tableExists';

/**
 * Makes a table unless it is there. knex adds its indexes in statements of their own, which MySQL commits one by one:
 * until the table has them all it is a draft under another name.
 */
export async function createTable(
  session: Session,
  dialect: Dialect,
  name: string,
  columns: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  if (await tableExists(session, dialect, name)) return;
  const draft = `${name}_draft`;
  await session.define((schema) => schema.dropTableIfExists(draft));
  await session.define((schema) =>
    schema.createTable(draft, (table) => {
      dialect.tableOptions(table);
      columns(table);
    }),
  );
  await session.define((schema) => schema.renameTable(draft, name));
}

/** Removes a table and what is left of one that was being made. */
export async function dropTable(session: Session, name: string): Promise<void> {
  await session.define((schema) => schema.dropTableIfExists(name));
  await session.define((schema) => schema.dropTableIfExists(`${name}_draft`));
}
