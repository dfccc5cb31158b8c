import type { Knex } from 'knex';
import type { Dialect } from './Dialect';
import { mysql } from './dialects/mysql';
import { postgresql } from './dialects/postgresql';
import { sqlite } from './dialects/sqlite';

const DIALECTS: Readonly<Record<string, Dialect>> = { mysql, postgresql, sqlite3: sqlite };

/** The dialect of a knex handle. Throws a TypeError for a database that the module does not know. */
export function dialectOf(knex: Knex): Dialect {
  const name: unknown = knex.client?.dialect;
  const dialect = typeof name === 'string' ? DIALECTS[name] : undefined;
  if (!dialect) throw new TypeError('db must be a knex handle of MySQL, MariaDB, PostgreSQL or SQLite.');
  return dialect;
}
