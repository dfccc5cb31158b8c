import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import type { DatabaseAddress } from './DatabaseAddress';
import { patienceMs } from './patience';
import { requireKnex } from './requireKnex';

/** SQLite waits for a locked file without giving way to timers. A short wait leaves the repetitions to Database. */
const LOCK_PATIENCE_MS = 200;

/** A handle of the command's own, with a single connection. */
export function connectTo({ driver, connection }: DatabaseAddress): Knex {
  const knex = requireKnex(driver);
  const { filename } = connection as { readonly filename?: string };
  // The driver would make an empty file out of every typing error.
  if (filename !== undefined && !existsSync(filename))
    throw new DatabaseFailure('connect', 'SQLITE_CANTOPEN');
  return knex({
    client: driver,
    connection,
    useNullAsDefault: driver === 'better-sqlite3',
    acquireConnectionTimeout: patienceMs,
    pool: { min: 0, max: 1, ...(filename === undefined ? {} : { afterCreate: setLockPatience }) },
  });
}

function setLockPatience(
  connection: { pragma(sql: string): unknown },
  done: (error: Error | null, connection: unknown) => void,
): void {
  connection.pragma(`busy_timeout = ${LOCK_PATIENCE_MS}`);
  done(null, connection);
}
