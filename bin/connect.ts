import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Knex, knex } from 'knex';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { codeDoubts } from './codeDoubts';
import type { DatabaseAddress, Driver } from './databaseUrl';
import { CommandFailure } from './exit';

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

/**
 * The knex that sees the driver: the panel's, when the command is called in the panel's folder, else the one that is
 * installed beside this module. Root may stand in a customer's home: packages that another user could change are
 * passed over. Throws a CommandFailure that names the missing package, or the file that must not be run.
 */
function requireKnex(driver: Driver): typeof knex {
  const doubtOf = codeDoubts();
  const doubts: string[] = [];
  const mayRun = (path: string): boolean => {
    const doubt = doubtOf(path);
    if (doubt !== null) doubts.push(doubt);
    return doubt === null;
  };
  const installed = (name: string, from: string): readonly string[] =>
    (createRequire(from).resolve.paths(name) ?? [])
      .map((folder) => join(folder, name))
      .flatMap((folder) => {
        const file = resolved(folder);
        return file !== null && mayRun(folder) && mayRun(file) ? [file] : [];
      });
  const seen = [join(process.cwd(), 'package.json'), __filename].flatMap((from) => installed('knex', from));
  const knexFile = seen.find((file) => installed(driver, file).length > 0);
  if (knexFile !== undefined) return createRequire(__filename)(knexFile).knex;
  const missing = seen.length === 0 ? 'knex' : driver;
  throw new CommandFailure(
    'setup',
    doubts[0] ?? `The package ${missing} is not installed: npm install ${missing}.`,
  );
}

function resolved(request: string): string | null {
  try {
    return createRequire(__filename).resolve(request);
  } catch {
    return null;
  }
}

const ignore = () => undefined;

/** Keeps knex from printing errors: they carry what must not be seen. */
export function silenceKnex(db: Knex): void {
  Object.assign(db.client.logger ?? {}, { debug: ignore, warn: ignore, error: ignore, deprecate: ignore });
}

/** How long the command waits for the database; with its own start and end it stays below five seconds. */
export const patienceMs = 3500;

/** How long one query of the command may take: it ends before the command does, and so can say its reason. */
export const queryPatienceMs = patienceMs - 500;

/** How long a command may take that creates a token: time enough to look for a token and to revoke it again. */
export const creationPatienceMs = 5 * patienceMs;

/** How long it waits for the module's tables: another process may be making them, and waits a minute itself. */
export const migrationPatienceMs = 75_000;

/** How long a look at all rows of all lists may take; each query by itself has the time of a request. */
export const checkPatienceMs = 600_000;

/** How long a panel's configuration may take to load. */
export const configPatienceMs = 20_000;
