import { resolve } from 'node:path';
import type { Knex } from 'knex';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { parseJson } from '../lib/json/json';
import { databaseTimeoutMs } from './timeouts';

/** The npm packages of the drivers. */
export type Driver = 'mysql2' | 'pg' | 'better-sqlite3';

/** A database's address, as its driver accepts it. */
export interface DatabaseAddress {
  readonly driver: Driver;
  readonly connection: Knex.StaticConnectionConfig;
}

/**
 * Parses `mysql:`, `mariadb:`, `postgres:`, `postgresql:` and `sqlite:` URLs and paths of SQLite files, relative ones from
 * the directory `cwd`. Throws InvalidInput.
 */
export function parseDatabaseUrl(given: string, cwd: string): DatabaseAddress {
  const text = given.trim();
  // Docker and others pass on the quotes of a file of variables.
  if (/^["'`]/.test(text)) throw wrong('The database URL begins with a quote: remove the quotes around it.');
  const [, scheme, rest = text] = /^([a-z][a-z0-9+.-]*):([\s\S]*)$/i.exec(text) ?? [];
  const kind = scheme?.toLowerCase() ?? (text.includes('://') ? 'unknown' : 'sqlite');
  if (kind === 'sqlite') return sqliteAddress(rest, cwd);
  const isMysql = /^(?:mysql|mariadb)$/.test(kind);
  if ((!isMysql && !/^postgres(?:ql)?$/.test(kind)) || !rest.startsWith('//'))
    throw wrong(
      'The database must be a mysql://, mariadb://, postgres:// or sqlite: URL, or the path of an SQLite file.',
    );
  return isMysql ? mysqlAddress(serverUrl(text)) : postgresqlAddress(text);
}

const wrong = (sentence: string) => new InvalidInput('database', sentence);

function sqliteAddress(path: string, cwd: string): DatabaseAddress {
  // In sqlite:///abs, the host is empty.
  const filename = path.startsWith('///') ? path.slice(2) : path;
  if (filename === '' || filename.startsWith('//') || filename === ':memory:')
    throw wrong('An SQLite URL must be sqlite:/absolute/path or sqlite:relative/path.');
  return { driver: 'better-sqlite3', connection: { filename: resolve(cwd, filename) } };
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

/** Throws InvalidInput if a `/`, `?` or `#` of the password seems to have ended the host: then the `@` is behind it. */
function serverUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  // The value of a parameter may have an @.
  const search = url?.username === '' ? url.search : url?.search.split('=')[0];
  if (url === null || url.hash !== '' || `${url.pathname}${search}`.includes('@')) throw invalidUrl();
  return url;
}

function invalidUrl(): InvalidInput {
  return wrong(
    'The database URL is not valid: in its names and its password write % as %25, # as %23, / as %2F, ? as %3F and @ as %40.',
  );
}

// The driver takes URLs too, but with parameters that change what the module reads.
function mysqlAddress({ hostname, port, pathname, username, password, searchParams }: URL): DatabaseAddress {
  const database = decoded(pathname.slice(1));
  if (database === '') throw wrong('The database URL does not name a database.');
  const socketPath = searchParams.get('socketPath');
  return {
    driver: 'mysql2',
    connection: {
      ...(socketPath
        ? { socketPath }
        : { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 3306) }),
      user: decoded(username),
      password: decoded(password),
      database,
      connectTimeout: databaseTimeoutMs,
      ...encryption(searchParams),
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
  const name = [...parameters.keys()].find((key) => /^(ssl|tls)/i.test(key));
  const value = parameters.get(name ?? '') ?? 'false';
  if (name === undefined || name === 'ssl') {
    if (/^(true|1)$/.test(value)) return { ssl: {} };
    if (/^(false|0)$/.test(value)) return {};
    if (value.startsWith('{')) {
      const ssl = parseJson(value);
      if (typeof ssl === 'object' && ssl !== null) return { ssl };
      throw wrong('The parameter ssl of the database URL is not valid JSON.');
    }
  }
  throw wrong(
    'For encryption, a MySQL URL may only set ssl=true, ssl=false or ssl={…}. Use --config for other settings.',
  );
}
