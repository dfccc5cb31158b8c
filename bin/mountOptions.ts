import { InvalidInput } from '../lib/errors/InvalidInput';
import { connectTo } from './connectTo';
import type { GlobalOptions } from './GlobalOptions';
import { loadConfig } from './loadConfig';
import { parseDatabaseUrl } from './parseDatabaseUrl';

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
