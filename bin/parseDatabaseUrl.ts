import { InvalidInput } from '../lib/errors/InvalidInput';
import type { DatabaseAddress } from './DatabaseAddress';
import { mysqlAddress } from './mysqlAddress';
import { patienceMs } from './patience';

/** Reads `mysql:`, `mariadb:`, `postgres:`, `postgresql:` and `sqlite:` URLs and the paths of SQLite files. Throws InvalidInput. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      return sqliteAddress(text);
    case 'sqlite':
      return sqliteAddress(text.slice('sqlite:'.length));
    case 'mysql':
    case 'mariadb':
      return mysqlAddress(serverUrl(text));
    case 'postgres':
    case 'postgresql':
      return postgresqlAddress(text);
    default:
      throw new InvalidInput(
        'database',
        'The database must be a mysql://, mariadb://, postgres:// or sqlite: URL or the path of an SQLite file.',
      );
  }
}

function sqliteAddress(path: string): DatabaseAddress {
  // In sqlite:///abs the host between the second and the third slash is empty.
  const filename = path.startsWith('///') ? path.slice(2) : path;
  if (filename === '' || filename.startsWith('//') || filename === ':memory:') {
    throw new InvalidInput('database', 'Write sqlite:/absolute/path or sqlite:relative/path.');
  }
  return { driver: 'better-sqlite3', connection: { filename } };
}

function postgresqlAddress(url: string): DatabaseAddress {
  // The driver allows an empty host, for unix sockets.
  serverUrl(url.replace('@/', '@localhost/'));
  return {
    driver: 'pg',
    connection: {
      connectionString: url,
      connectionTimeoutMillis: patienceMs,
      application_name: 'panel-api',
    },
  };
}

function serverUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new InvalidInput(
      'database',
      'The database URL is not valid; the special characters of a password must be percent-encoded.',
    );
  }
}
