import fc from 'fast-check';
import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/fields/Operation';
import { operations } from '../../../routes';
import type { Engine } from '../../fixture/databases';

/** A row as a panel inserts it. */
export type GivenRow = Readonly<Record<string, string | number | boolean | null>>;

/** Names that collations, patterns and quotes mistake for others. */
const NAMES = [
  'müller',
  'muller',
  'MÜLLER',
  'mu\u0308ller',
  'straße',
  'strasse',
  'STRASSE',
  'ı',
  'i',
  'İ',
  'I',
]
  .concat(['a', 'A', 'a ', ' a', 'á', 'aa', 'a%', 'a_', 'a\\', "a'", 'a"', '%', '_', '\\', '*', '', ' ', '0'])
  .concat([
    '00',
    '1',
    '1.0',
    'true',
    'null',
    'a,b',
    'ﬁ',
    'ｆｉ',
    '\u00ad',
    '\u200b',
    '🐘',
    '🐘🐘',
    'ſ',
    'K',
    'k',
  ]);
export const anyName = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
  {
    weight: 1,
    arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !/[\0\p{Cs}]/u.test(text)),
  },
);
const WORDS = ['active', 'Active', 'suspended', 'pending', '', 'unknown', 'actıve', 'active '];

/** Times as a panel writes them: few, so that rows have equal ones, and those at the ends of what there is. */
const TIMES = ['2026-06-12 00:00:00', '2026-06-11 23:59:59', '2026-06-12 00:00:01', '2024-02-29 12:00:00']
  .concat(['1970-01-01 00:00:01', '1969-12-31 23:59:59', '2038-01-19 03:14:08', '9999-12-31 23:59:59'])
  .concat(['1000-01-01 00:00:00']);
const MORE_TIMES: Readonly<Record<Engine, readonly string[]>> = {
  mariadb: ['0000-00-00 00:00:00'],
  postgresql: ['0001-01-01 00:00:00', '2026-06-12 00:00:00.999999', 'infinity', '-infinity', '0044-03-15 BC'],
  sqlite: ['0001-01-01 00:00:00', '2026-06-12T00:00:00.999Z', '2026-02-30 00:00:00', 'never', '0000-00-00'],
};

/** Names of files with directories, and addresses with what must not be shown. */
const fileName = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('', '/', '/var/backups/', 'C:\\backups\\', '\\\\host\\a/', '../', '//'),
      anyName,
      fc.constantFrom('', '/', '\\'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    's3://key:S3cret@bucket/daily/shop.tar.gz?X-Signature=4f1c6b#a/b',
    'https://backup.example/daily/',
    'sftp://anna:S3cret@backup.example',
  ),
);

const schedule = fc.oneof(anyName, fc.constantFrom('*/5 * * * *', '@daily', '0 0 31 2 *'));

/** The times by which the panel offers an order: their columns have times in one form, or NULL. */
export const ORDERS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['created_at'],
  domains: ['created_at', 'updated_at'],
  websites: ['updated_at'],
  email: ['last_login_at'],
  databases: ['created_at'],
  // Not by the expiry, so that `days_left` is asked for with other times too.
  ssl: ['issued_at'],
  backups: ['started_at'],
  jobs: ['queued_at'],
  cron: ['last_run_at'],
  settings: ['updated_at'],
};

// Letters and digits that every collation sorts in the same way.
const SHOWN = ['0', '00', '007', '1', '1e5', '0x10', '9007199254740993', 'true', 'null', 'undefined', 'nan']
  .concat(['constructor', 'hasownproperty', 'prototype', 'tostring', 'select', 'smtppassword', 'apikey'])
  .concat(['z'.repeat(128)], numbered('key', 28));
const HIDDEN = ['000', '2', 'a', 'dbpassword', 'key1a', 'keys', 'valueof', 'z'.repeat(127)]
  // A collation takes them for keys that are shown, but have no row.
  .concat(['MAINTENANCE', 'panél', 'motd ', 'ﬁnder', '__proto__']);

/** The keys of settings that the panel allows. */
export const SHOWN_KEYS: readonly string[] = SHOWN.concat(['maintenance', 'panel', 'motd', 'finder']);

function numbered(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}

/** All but `services`, which has no table that the oracle could read: systemd or a function has its rows. */
export const lists: readonly Operation[] = operations.filter(({ name }) => name in ORDERS);

/** The options of their sources. */
export const SOURCES = Object.fromEntries(
  lists.map(({ name, allowList }) => [
    name,
    { orders: [...ORDERS[name]!], ...(allowList && { keys: SHOWN_KEYS }) },
  ]),
);

/** The accounts that have a token of their own. No row belongs to the last one. */
export const ACCOUNTS = [1, 2, 7, 8] as const;

/** The columns by which an account of a token stays itself. */
function bound(list: string, id: unknown) {
  if (list !== 'accounts' || !ACCOUNTS.some((account) => String(account) === String(id))) return {};
  return { username: `user${id}`, status: 'active', created_at: null };
}

/** Rows of a list's table, which has these columns. */
export function rowsOf(
  { name, fields }: Operation,
  engine: Engine,
  columns: readonly string[],
): fc.Arbitrary<readonly GivenRow[]> {
  const row = fc.record(
    Object.fromEntries(
      columns.map((column) => {
        const isSorted = ORDERS[name]?.includes(column) ?? false;
        return [column, cellOf(column, fields[column]!, isSorted ? [] : MORE_TIMES[engine])];
      }),
    ),
  );
  const [key = ''] = columns;
  const keys = fields[key]!.kind === 'id' ? numbers : [...SHOWN, ...HIDDEN];
  return fc
    .array(row, { minLength: keys.length, maxLength: keys.length, size: 'max' })
    .map((rows) =>
      rows.map((one, index) => ({ ...one, [key]: keys[index], ...bound(name, keys[index]) }) as GivenRow),
    );
}

// With gaps, around the numbers from which on JavaScript loses digits.
const numbers = Array.from({ length: 60 }, (_, index) =>
  index % 3 === 2 ? String(2n ** 53n - 10n + BigInt(index)) : index + 1,
);

/** A cell of a column. */
function cellOf(
  column: string,
  { kind, schema }: Field,
  moreTimes: readonly string[],
): fc.Arbitrary<GivenRow[string]> {
  const whole = fc.constantFrom(0, 1, -1, 2, 5, 7, 2147483647);
  const cells: Partial<Record<Field['kind'], fc.Arbitrary<GivenRow[string]>>> = {
    id: whole,
    text: { file_name: fileName, schedule }[column] ?? anyName,
    any: fc.oneof(
      anyName,
      fc.constantFrom('integer', 'boolean', 'list', 'secret', 'password', '["a"]', '7.0'),
    ),
    word: fc.constantFrom(...WORDS),
    flag: fc.boolean(),
    time: fc.constantFrom(...TIMES, ...moreTimes),
    number: schema.maximum === 100 ? fc.integer({ min: -5, max: 110 }) : whole,
    milliseconds: whole,
    bytes: fc.constantFrom('0', '-1', '1024', String(2n ** 53n + 1n), String(2n ** 62n), '1000000'),
    list: fc.constantFrom('', 'a.example', 'a.example, b.example;c.example'),
  };
  return fc.option(cells[kind] ?? fc.constant(null), { freq: 6 });
}
