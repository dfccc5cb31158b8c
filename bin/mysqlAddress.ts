import { InvalidInput } from '../lib/errors/InvalidInput';
import type { DatabaseAddress } from './DatabaseAddress';
import { patienceMs } from './patience';

/** Reads a URL of MySQL or MariaDB. Throws InvalidInput. */
export function mysqlAddress(url: URL): DatabaseAddress {
  const database = decoded(url.pathname.slice(1));
  if (database === '') throw new InvalidInput('database', 'The database URL names no database.');
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
      connectTimeout: patienceMs,
      ...encryption(url.searchParams),
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new InvalidInput('database', 'The database URL is not valid: a % must be written as %25.');
  }
}

// What asks for encryption is never passed over in silence.
function encryption(parameters: URLSearchParams): { ssl?: object } {
  const [name] = [...parameters.keys()].filter((key) => /^(ssl|tls)/i.test(key));
  if (name === undefined) return {};
  const value = parameters.get(name) ?? '';
  if (name === 'ssl' && /^(true|1)$/.test(value)) return { ssl: {} };
  if (name === 'ssl' && /^(false|0)$/.test(value)) return {};
  if (name === 'ssl' && value.startsWith('{')) return { ssl: settingsOf(value) };
  throw new InvalidInput(
    'database',
    'Of the encryption, a MySQL URL can say ssl=true or ssl={…}; for all else use --config.',
  );
}

function settingsOf(json: string): object {
  try {
    return JSON.parse(json) as object;
  } catch {
    throw new InvalidInput('database', 'The parameter ssl of the database URL is not valid JSON.');
  }
}
