import type { Database } from '../database/Database';

export interface DatabaseFacts {
  readonly kind: 'mariadb' | 'mysql' | 'postgresql' | 'sqlite';
  readonly version: string;
}

/** What kind of server the panel's database is, as it says itself. */
export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const [row] = await database.rows('version', database.dialect.versionSql);
  const version = String(Object.values(row ?? {})[0] ?? 'unknown');
  const isMariadb = database.dialect.name === 'mysql' && /mariadb/i.test(version);
  return { kind: isMariadb ? 'mariadb' : database.dialect.name, version };
}
