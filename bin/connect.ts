import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Knex, knex } from 'knex';
import { codeWarnings } from './codeWarnings';
import type { DatabaseAddress, Driver } from './databaseUrl';
import { CommandFailure } from './exit';
import { databaseTimeoutMs } from './timeouts';

/** Returns the command's own handle, with a single connection. */
export function connectTo({ driver, connection }: DatabaseAddress, cwd: string): Knex {
  const knex = requireKnex(driver, cwd);
  const { filename } = connection as { readonly filename?: string };
  // For a mistyped path, the driver would create an empty file. The path may be a mistyped URL with a password.
  if (filename !== undefined && isMissing(filename))
    throw new CommandFailure(
      'database',
      'The SQLite file does not exist yet. A relative path begins at the current directory; a panel creates its file when it first starts.',
    );
  return knex({
    client: driver,
    connection,
    useNullAsDefault: driver === 'better-sqlite3',
    acquireConnectionTimeout: databaseTimeoutMs,
    pool: { min: 0, max: 1 },
  });
}

function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    // A file that this user may not see is the driver's to report.
    return false;
  }
}

/**
 * Returns the knex that finds the driver: the panel's, if the command is called in the panel's folder, otherwise the
 * one installed beside this module. Ignores packages that other users can change, because root may call the command in
 * a customer's home. Throws a CommandFailure that names the missing package, or the file that must not be run.
 */
function requireKnex(driver: Driver, cwd: string): typeof knex {
  const warningOf = codeWarnings();
  const warnings: string[] = [];
  const mayRun = (path: string): boolean => {
    const warning = warningOf(path);
    if (warning !== null) warnings.push(warning);
    return warning === null;
  };
  const installed = (name: string, from: string): readonly string[] => {
    const { resolve } = createRequire(from);
    // Under Plug'n'Play of Yarn there are no folders of packages, and only the name can be resolved.
    const requests = process.versions.pnp
      ? [name]
      : (resolve.paths(name) ?? []).map((folder) => join(folder, name));
    return requests.flatMap((request) => {
      const file = resolved(request, resolve);
      return file !== null && (request === name || mayRun(request)) && mayRun(file) ? [file] : [];
    });
  };
  const found = [join(cwd, 'package.json'), __filename].flatMap((from) => installed('knex', from));
  const knexFile = found.find((file) => installed(driver, file).length > 0);
  if (knexFile !== undefined) return createRequire(__filename)(knexFile).knex;
  const missing = found.length === 0 ? 'knex' : driver;
  const add = process.versions.pnp ? 'yarn add' : 'npm install';
  throw new CommandFailure(
    'setup',
    warnings[0] ?? `The package ${missing} is not installed: run ${add} ${missing}.`,
  );
}

function resolved(request: string, resolve: NodeJS.RequireResolve): string | null {
  try {
    return resolve(request);
  } catch {
    return null;
  }
}
