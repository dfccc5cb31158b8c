import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { knex } from 'knex';
import { CommandFailure } from './CommandFailure';
import type { Driver } from './DatabaseAddress';
import { isTrustedFolder } from './isTrustedFolder';

/**
 * The knex that sees the driver: the panel's, when the command is called in the panel's folder, else the one that is
 * installed beside this module. Throws a CommandFailure that names the missing package.
 */
export function requireKnex(driver: Driver): typeof knex {
  const folders = [...foldersOfWorkingDirectory(), ...foldersAbove(__filename)];
  const seen = folders
    .map((folder) => resolved(__filename, join(folder, 'knex')))
    .filter((file) => file !== null);
  const knexFile = seen.find((file) => resolved(file, driver) !== null);
  if (knexFile !== undefined) return createRequire(__filename)(knexFile).knex;
  const missing = seen.length === 0 ? 'knex' : driver;
  throw new CommandFailure('setup', `The package ${missing} is not installed: npm install ${missing}.`);
}

// Root may stand in a customer's home: code that somebody else put there is not run.
function foldersOfWorkingDirectory(): string[] {
  return foldersAbove(join(process.cwd(), 'package.json')).filter(isTrustedFolder);
}

function foldersAbove(file: string): string[] {
  return createRequire(file).resolve.paths('knex') ?? [];
}

function resolved(from: string, request: string): string | null {
  try {
    return createRequire(from).resolve(request);
  } catch {
    return null;
  }
}
