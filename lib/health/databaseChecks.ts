import type { Database } from '../database/Database';
import { UnusableTables } from '../database/DatabaseFailure';
import type { Dialect } from '../database/Dialect';
import type { Migrations } from '../database/migrations/Migrations';
import type { LostHistory } from '../history/History';
import { rfc3339OfSeconds } from '../time/time';
import type { CheckResult } from './runCheck';

/** Checks whether all of the module's migrations were applied, by those that are pending. */
export async function checkMigrations(names: ReturnType<Migrations['pending']>): Promise<CheckResult> {
  const pending = await names.catch((error: unknown) => {
    if (error instanceof UnusableTables) return error.message;
    throw error;
  });
  if (typeof pending === 'string') return { status: 'fail', detail: pending };
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Pending migrations: ${pending.join(', ')}.` };
}

/** Checks whether the database was set back, and no administrator has dealt with that. */
export function checkHistory(lost: LostHistory | null): CheckResult {
  if (!lost) return { status: 'pass' };
  const { newest, known } = lost;
  const last = newest ? rfc3339OfSeconds(newest.at) : 'nothing';
  return {
    status: 'fail',
    detail: `The database is older than known: its last change is of ${last}, the last known one of ${rfc3339OfSeconds(known.at)}. Run panel-api restored.`,
  };
}

export interface DatabaseFacts {
  readonly kind: Dialect['name'] | 'mariadb';
  readonly version: string;
}

/** Reads the kind and version of the panel's database from its server. */
export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const [row] = await database.rows('version', database.dialect.versionSql);
  const version = String(Object.values(row ?? {})[0] ?? 'unknown');
  const isMariadb = database.dialect.name === 'mysql' && /mariadb/i.test(version);
  return { kind: isMariadb ? 'mariadb' : database.dialect.name, version };
}

/** Checks whether the panel's lists are read from the schema of the module's own tables, as on a replica. */
export async function checkReadDatabase(database: Database, readDatabase: Database): Promise<CheckResult> {
  const [schema, readSchema] = await Promise.all([database, readDatabase].map(schemaOf));
  return schema === readSchema
    ? { status: 'pass' }
    : { status: 'warn', detail: 'The handle readDb uses another database or schema than db.' };
}

async function schemaOf(database: Database): Promise<unknown> {
  const [row] = await database.rows('schema', database.dialect.schemaSql);
  return row?.name;
}
