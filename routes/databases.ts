import {
  alwaysDerived,
  bytes,
  count,
  filterable,
  flag,
  id,
  integer,
  openWord,
  required,
  searchable,
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/fields/Operation';

const ENGINES = ['mysql', 'mariadb', 'postgresql', 'mongodb', 'redis'] as const;

export const databases = listOperation({
  name: 'databases',
  tag: 'Email and databases',
  title: 'Databases',
  item: 'Database',
  description: 'Every database that the panel manages.',
  fields: {
    id: required(id('Identifier of the database.')),
    name: required(searchable(filterable(text('Name of the database.')))),
    engine: required(word('Database system that holds the database.', ENGINES)),
    engine_version: text('Version of the database system.'),
    account_id: id('Identifier of the account that owns the database.', 'accounts'),
    website_id: id(
      'Identifier of the website that the database belongs to; null if it belongs to no website.',
      'websites',
    ),
    status: openWord('Status of the database.'),
    host: text('Host name or address of the database server.'),
    port: integer('TCP port of the database server.'),
    charset: text('Character set of the database.'),
    collation: text('Collation of the database.'),
    size_bytes: bytes('Size of the database in bytes.'),
    size_limit_bytes: bytes('Maximum size of the database in bytes; null for no limit.'),
    table_count: count('Number of tables in the database.'),
    users: alwaysDerived(
      textList('Names of the database users, without their hosts.'),
      ['users'],
      ({ users }) => userNames(users),
    ),
    remote_access: flag('Whether the database accepts connections from other hosts.'),
    created_at: time('Time when the database was created.'),
    updated_at: time('Time when the database was last changed.'),
  },
});

/** The names of database accounts, each once and without its host: `'shop'@'%'` is shop. */
export function userNames(accounts: unknown): readonly string[] {
  const written = Array.isArray(accounts) ? accounts.filter((account) => typeof account === 'string') : [];
  // Objects may contain passwords beside the names.
  if (written.some((account) => account.includes('{'))) return [];
  return [...new Set(written.map(nameOf))].filter((name) => name !== '');
}

function nameOf(account: string): string {
  const quoted = /^(['"`])(.*?)\1(?:@|$)/.exec(account)?.[2];
  if (quoted !== undefined) return quoted;
  const at = account.lastIndexOf('@');
  return at < 0 ? account : account.slice(0, at);
}
