import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { withTimeout } from '../lib/async/withTimeout';
import { InvalidInput } from '../lib/errors/InvalidInput';
import type { GlobalOptions } from './arguments';
import { codeDoubts } from './codeDoubts';
import { configPatienceMs, connectTo } from './connect';
import { parseDatabaseUrl } from './databaseUrl';
import { CommandFailure } from './exit';

/**
 * What a CommonJS or ES module exports as the options of the mount: as its default or `module.exports`, as they are
 * or by a function, which may take its time.
 */
async function loadConfig(path: string): Promise<object> {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) {
    throw new InvalidInput('config', 'There is no such configuration file.');
  }
  // The very path that is loaded is looked at: links on the way to it may change.
  const linked = realpathSync(file);
  const doubtOf = codeDoubts();
  const doubt = doubtOf(file) ?? doubtOf(linked);
  if (doubt !== null) throw new CommandFailure('setup', doubt);
  const options = await withTimeout(
    loaded(linked).catch(failed),
    configPatienceMs,
    () => new CommandFailure('setup', 'The configuration file took too long to load.'),
  );
  if (typeof options === 'object' && options !== null) return options;
  throw new InvalidInput(
    'config',
    'The configuration file must export the options of createPanelApi, or a function that gives them.',
  );
}

async function loaded(file: string): Promise<unknown> {
  const exported = defaultOf(await import(pathToFileURL(file).href));
  return typeof exported === 'function' ? exported() : exported;
}

// A CommonJS module that was compiled from an ES module has its default one step further down.
function defaultOf(module: object): unknown {
  if (!('default' in module)) return { ...module };
  const exported = module.default;
  const compiled = typeof exported === 'object' && exported !== null && '__esModule' in exported;
  return compiled && 'default' in exported ? exported.default : exported;
}

// The message may carry anything that the panel's configuration knows, passwords among it.
function failed(error: unknown): never {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = [code, name].find((text) => typeof text === 'string' && /^\w{1,64}$/.test(text)) ?? 'unknown';
  throw new CommandFailure('setup', `The configuration file could not be loaded (${word}).`);
}

/** The options of a mount, from the configuration file or from the URL of the database. Throws InvalidInput. */
export async function mountOptions({ config, database, tablePrefix }: GlobalOptions): Promise<object> {
  if (config === undefined) {
    return {
      db: connectTo(parseDatabaseUrl(database ?? urlOfEnvironment())),
      ...(tablePrefix === undefined ? {} : { tablePrefix }),
    };
  }
  if (database !== undefined || tablePrefix !== undefined) {
    throw new InvalidInput(
      'config',
      'The configuration file says the database and the table prefix: leave out --database and --table-prefix.',
    );
  }
  return loadConfig(config);
}

function urlOfEnvironment(): string {
  const { PANEL_API_DATABASE_URL: url = '' } = process.env;
  if (url !== '') return url;
  throw new InvalidInput(
    'database',
    'Say where the database is: --database URL, the environment variable PANEL_API_DATABASE_URL, or --config FILE.',
  );
}
