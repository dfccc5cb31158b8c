import fc from 'fast-check';
import type { Field } from '../../../lib/fields';
import type { Operation } from '../../../lib/operations/Operation';
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

/** The times by which the panel offers an order: their columns have times in one form, or NULL. */
export const ORDERS: Readonly<Record<string, readonly string[]>> = {
  accounts: ['created_at'],
  domains: ['created_at', 'updated_at'],
  websites: ['updated_at'],
  email: ['last_login_at'],
  databases: ['created_at'],
  jobs: ['queued_at'],
};

/** Rows of a list's table. */
export function rowsOf(operation: Operation, engine: Engine): fc.Arbitrary<readonly GivenRow[]> {
  const columns = Object.entries(operation.fields).filter(([column]) => column !== 'duration_ms');
  const row = fc.record(
    Object.fromEntries(
      columns.map(([column, field]) => {
        const isSorted = ORDERS[operation.name]?.includes(column) ?? false;
        return [column, cellOf(field, isSorted ? [] : MORE_TIMES[engine])];
      }),
    ),
  );
  // Keys with gaps, around the numbers from which on JavaScript loses digits.
  const key = (index: number) => (index % 3 === 2 ? String(2n ** 53n - 10n + BigInt(index)) : index + 1);
  return fc
    .array(row, { minLength: 60, maxLength: 60, size: 'max' })
    .map((rows) => rows.map((one, index) => ({ ...one, id: key(index) }) as GivenRow));
}

/** A cell of a column. */
function cellOf({ kind, schema }: Field, moreTimes: readonly string[]): fc.Arbitrary<GivenRow[string]> {
  const whole = fc.constantFrom(0, 1, -1, 2, 5, 7, 2147483647);
  const cells: Partial<Record<Field['kind'], fc.Arbitrary<GivenRow[string]>>> = {
    id: whole,
    text: anyName,
    word: fc.constantFrom(...WORDS),
    flag: fc.boolean(),
    time: fc.constantFrom(...TIMES, ...moreTimes),
    number: schema.maximum === 100 ? fc.integer({ min: -5, max: 110 }) : whole,
    bytes: fc.constantFrom('0', '-1', '1024', String(2n ** 53n + 1n), String(2n ** 62n), '1000000'),
    list: fc.constantFrom('', 'a.example', 'a.example, b.example;c.example'),
  };
  return fc.option(cells[kind] ?? fc.constant(null), { freq: 6 });
}
