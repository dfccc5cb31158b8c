import { existsSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { withTimeout } from '../lib/async/withTimeout';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { codeWarnings } from './codeWarnings';
import { connectTo } from './connect';
import { parseDatabaseUrl } from './databaseUrl';
import { CommandFailure } from './exit';
import { loadModule, throwLoadingFailure } from './loadModule';
import type { Io } from './Terminal';
import { configTimeoutMs } from './timeouts';

/** The options of every command. */
export interface GlobalOptions {
  readonly database?: string;
  readonly config?: string;
  readonly tablePrefix?: string;
  readonly json?: boolean;
}

export function addGlobalOptions(program: Command): Command {
  return program
    .option(
      '--database <url>',
      'database URL (mysql://, mariadb://, postgres:// or sqlite:), or path of an SQLite file',
    )
    .option(
      '--config <file>',
      'file that exports the options of createPanelApi, or a function that returns them',
    )
    .option(
      '--table-prefix <prefix>',
      "first part of the names of the module's tables; not together with --config",
    )
    .option('--json', 'print JSON for scripts');
}

/** The configuration files that the command finds by itself, the first of them that exists. */
const FOUND_CONFIGS = ['js', 'ts', 'mts', 'cts'].map((extension) => `panel-api.config.${extension}`);

/** Returns the options with the database of the environment, or else with the configuration file of the directory. */
export function withFoundConfig(options: GlobalOptions, { env, cwd }: Io): GlobalOptions {
  const { PANEL_API_DATABASE_URL: database = '' } = env;
  if (options.config !== undefined || options.database !== undefined) return options;
  if (database !== '') return { ...options, database };
  const config = FOUND_CONFIGS.find((file) => existsSync(join(cwd, file)));
  return config === undefined ? options : { ...options, config };
}

/** Returns the mount options: from the configuration file, or with the database of the URL. Throws InvalidInput. */
export async function mountOptions(
  { config, database, tablePrefix }: GlobalOptions,
  { cwd }: Io,
): Promise<object> {
  if (config !== undefined) {
    if (database === undefined && tablePrefix === undefined) return loadConfig(resolve(cwd, config));
    throw new InvalidInput(
      'config',
      'Remove --database and --table-prefix: the configuration file sets the database and the table prefix.',
    );
  }
  if (database !== undefined) {
    const db = connectTo(parseDatabaseUrl(database, cwd), cwd);
    return tablePrefix === undefined ? { db } : { db, tablePrefix };
  }
  throw new InvalidInput(
    'database',
    `No database is set: use --database URL, --config FILE, the environment variable PANEL_API_DATABASE_URL, or a file panel-api.config.js or panel-api.config.ts in this directory.`,
  );
}

/**
 * Returns the options that a CommonJS or ES module exports as its default or `module.exports`: an object, or a function
 * that returns it or a promise of it.
 */
async function loadConfig(file: string): Promise<object> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new InvalidInput('config', 'The configuration file does not exist.');
  // The real path is checked and loaded, because links on the way may change.
  const linked = realpathSync(file);
  const warningOf = codeWarnings();
  const warning = warningOf(file) ?? warningOf(linked);
  if (warning !== null) throw new CommandFailure('setup', warning);
  const options = await withTimeout(
    exportedOptions(linked).catch((error) => throwLoadingFailure(error, linked)),
    configTimeoutMs,
    () => new CommandFailure('setup', 'The configuration file took too long to load.'),
  );
  if (typeof options === 'object' && options !== null) return withSafeSwitch(options);
  throw new InvalidInput(
    'config',
    'The configuration file must export as its default the options of createPanelApi, or a function that returns them.',
  );
}

/** Replaces the errors of a function `enabled`, which may contain secrets. */
function withSafeSwitch(options: { readonly enabled?: unknown }): object {
  const { enabled } = options;
  if (typeof enabled !== 'function') return options;
  const failure = new CommandFailure('setup', 'The function of the mount option enabled failed.');
  const safe = async () => enabled();
  return { ...options, enabled: () => safe().catch(() => Promise.reject(failure)) };
}

async function exportedOptions(file: string): Promise<unknown> {
  const exported = defaultOf(await loadModule(file));
  return typeof exported === 'function' ? exported() : exported;
}

// A CommonJS module that was compiled from an ES module has its default under `default.default`.
function defaultOf(module: object): unknown {
  if (!('default' in module)) return 'db' in module ? { ...module } : null;
  const exported = module.default;
  const compiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return compiled && 'default' in exported ? exported.default : exported;
}
