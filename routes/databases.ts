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
  text,
  textList,
  time,
  word,
} from '../lib/fields';
import { listOperation } from '../lib/operations/Operation';

export const databases = listOperation({
  name: 'databases',
  scope: 'databases.read',
  tag: 'Email and databases',
  title: 'Databases',
  description: 'Every database that the panel manages.',
  fields: {
    id: required(id('Identifier of the database.')),
    name: required(filterable(text('Name of the database.'))),
    engine: required(word('Database system.', ['mysql', 'mariadb', 'postgresql', 'mongodb', 'redis'])),
    engine_version: text('Version of the database system.'),
    account_id: id('The account that owns it.', 'accounts'),
    website_id: id('The website that it belongs to; null if to none.', 'websites'),
    status: openWord('State of the database.'),
    host: text('Host that it is reached at.'),
    port: integer('TCP port that it is reached at.'),
    charset: text('Its character set.'),
    collation: text('Its collation.'),
    size_bytes: bytes('Its size, in bytes.'),
    size_limit_bytes: bytes('Size that it may have, in bytes; null for no limit.'),
    table_count: count('Number of its tables.'),
    users: alwaysDerived(textList('Names of its users, without their hosts.'), ['users'], ({ users }) =>
      userNames(users),
    ),
    remote_access: flag('Whether it is reached from other hosts.'),
    created_at: time('When it was created.'),
    updated_at: time('When it was last changed.'),
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
