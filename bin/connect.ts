import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Knex, knex } from 'knex';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { codeWarnings } from './codeWarnings';
import type { DatabaseAddress, Driver } from './databaseUrl';
import { CommandFailure } from './exit';
import { databaseTimeoutMs } from './timeouts';

/** Returns the command's own handle, with a single connection. */
export function connectTo({ driver, connection }: DatabaseAddress): Knex {
  const knex = requireKnex(driver);
  const { filename } = connection as { readonly filename?: string };
  // For a mistyped path, the driver would create an empty file.
  if (filename !== undefined && !existsSync(filename))
    throw new DatabaseFailure('connect', 'SQLITE_CANTOPEN');
  return knex({
    client: driver,
    connection,
    useNullAsDefault: driver === 'better-sqlite3',
    acquireConnectionTimeout: databaseTimeoutMs,
    pool: { min: 0, max: 1 },
  });
}

/**
 * Returns the knex that finds the driver: the panel's, if the command is called in the panel's folder, otherwise the
 * one installed beside this module. Ignores packages that other users can change, because root may call the command in
 * a customer's home. Throws a CommandFailure that names the missing package, or the file that must not be run.
 */
function requireKnex(driver: Driver): typeof knex {
  const warningOf = codeWarnings();
  const warnings: string[] = [];
  const mayRun = (path: string): boolean => {
    const warning = warningOf(path);
    if (warning !== null) warnings.push(warning);
    return warning === null;
  };
  const installed = (name: string, from: string): readonly string[] =>
    (createRequire(from).resolve.paths(name) ?? [])
      .map((folder) => join(folder, name))
      .flatMap((folder) => {
        const file = resolved(folder);
        return file !== null && mayRun(folder) && mayRun(file) ? [file] : [];
      });
  const found = [join(process.cwd(), 'package.json'), __filename].flatMap((from) => installed('knex', from));
  const knexFile = found.find((file) => installed(driver, file).length > 0);
  if (knexFile !== undefined) return createRequire(__filename)(knexFile).knex;
  const missing = found.length === 0 ? 'knex' : driver;
  throw new CommandFailure(
    'setup',
    warnings[0] ?? `The package ${missing} is not installed: run npm install ${missing}.`,
  );
}

function resolved(request: string): string | null {
  try {
    return createRequire(__filename).resolve(request);
  } catch {
    return null;
  }
}
