import type { Knex } from 'knex';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { databaseTimeoutMs } from './timeouts';

/**
 * Parses `mysql:`, `mariadb:`, `postgres:`, `postgresql:` and `sqlite:` URLs and paths of SQLite files. Throws
 * InvalidInput.
 */
export function parseDatabaseUrl(given: string): DatabaseAddress {
  const text = given.trim();
  // Docker and others pass on the quotes of a file of variables.
  if (/^["'`]/.test(text))
    throw new InvalidInput('database', 'The database URL begins with a quote: remove the quotes around it.');
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
      if (text.includes('://')) throw unknownKind();
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
      throw unknownKind();
  }
}

function unknownKind(): InvalidInput {
  return new InvalidInput(
    'database',
    'The database must be a mysql://, mariadb://, postgres:// or sqlite: URL, or the path of an SQLite file.',
  );
}

function sqliteAddress(path: string): DatabaseAddress {
  // In sqlite:///abs, the host is empty.
  const filename = path.startsWith('///') ? path.slice(2) : path;
  if (filename === '' || filename.startsWith('//') || filename === ':memory:') {
    throw new InvalidInput(
      'database',
      'An SQLite URL must be sqlite:/absolute/path or sqlite:relative/path.',
    );
  }
  return { driver: 'better-sqlite3', connection: { filename } };
}

function postgresqlAddress(url: string): DatabaseAddress {
  // The driver allows an empty host for Unix sockets.
  serverUrl(url.replace('@/', '@localhost/'));
  return {
    driver: 'pg',
    connection: {
      connectionString: url,
      connectionTimeoutMillis: databaseTimeoutMs,
      application_name: 'panel-api',
    },
  };
}

function serverUrl(text: string): URL {
  if (!text.includes('://')) throw unknownKind();
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || isSplitWrongly(url)) throw invalidUrl();
  return url;
}

/** Whether a `/`, `?` or `#` of the password seems to have ended the host: then the `@` of the real host is behind it. */
function isSplitWrongly({ username, pathname, search, hash }: URL): boolean {
  // The value of a parameter may have an @.
  const rest = username === '' ? search : search.split('=')[0];
  return hash !== '' || `${pathname}${rest}`.includes('@');
}

function invalidUrl(): InvalidInput {
  return new InvalidInput(
    'database',
    'The database URL is not valid: in its names and its password write % as %25, # as %23, / as %2F, ? as %3F and @ as %40.',
  );
}

function mysqlAddress(url: URL): DatabaseAddress {
  const database = decoded(url.pathname.slice(1));
  if (database === '') throw new InvalidInput('database', 'The database URL does not name a database.');
  const socketPath = url.searchParams.get('socketPath');
  return {
    driver: 'mysql2',
    connection: {
      ...(socketPath
        ? { socketPath }
        : { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3306) }),
      user: decoded(url.username),
      password: decoded(url.password),
      database,
      connectTimeout: databaseTimeoutMs,
      ...encryption(url.searchParams),
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw invalidUrl();
  }
}

// A parameter that requests encryption is never ignored.
function encryption(parameters: URLSearchParams): { ssl?: object } {
  const [name] = [...parameters.keys()].filter((key) => /^(ssl|tls)/i.test(key));
  if (name === undefined) return {};
  const value = parameters.get(name) ?? '';
  if (name === 'ssl' && /^(true|1)$/.test(value)) return { ssl: {} };
  if (name === 'ssl' && /^(false|0)$/.test(value)) return {};
  if (name === 'ssl' && value.startsWith('{')) return { ssl: settingsOf(value) };
  throw new InvalidInput(
    'database',
    'For encryption, a MySQL URL may only set ssl=true, ssl=false or ssl={…}. Use --config for other settings.',
  );
}

function settingsOf(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch {
    throw new InvalidInput('database', 'The parameter ssl of the database URL is not valid JSON.');
  }
}

/** The npm packages of the drivers. */
export type Driver = 'mysql2' | 'pg' | 'better-sqlite3';

/** A database's address, as its driver accepts it. */
export interface DatabaseAddress {
  readonly driver: Driver;
  readonly connection: Knex.StaticConnectionConfig;
}
