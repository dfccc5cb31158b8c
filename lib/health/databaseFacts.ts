import type { Database } from '../database/Database';

interface DatabaseFacts {
  readonly kind: 'mariadb' | 'mysql' | 'postgresql' | 'sqlite';
  readonly version: string;
}

/** Reads the kind and version of the panel's database from its server. */
export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const [row] = await database.rows('version', database.dialect.versionSql);
  const version = String(Object.values(row ?? {})[0] ?? 'unknown');
  const isMariadb = database.dialect.name === 'mysql' && /mariadb/i.test(version);
  return { kind: isMariadb ? 'mariadb' : database.dialect.name, version };
}
