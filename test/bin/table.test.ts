import { type Cell, type Screen, showsColours } from '../../bin/screen';
import { type Column, formatFacts, formatTable } from '../../bin/table';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: Cell;
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'ID', cell: ({ id }) => String(id) },
  { heading: 'NAME', cell: ({ name }) => name, least: 6 },
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'ORIGIN', cell: () => 'panel', optional: true },
  { heading: 'ADDRESS', cell: () => '192.0.2.7', optional: true },
];
const ROWS: readonly Row[] = [
  { id: 1, name: 'a name of some length', state: { text: 'active', style: 'green' } },
  { id: 22, name: 'b', state: 'expired' },
];

const on = (width: number | null, colours = false): Screen => ({ width, colours });
const printed = (screen: Screen) => formatTable(ROWS, COLUMNS, { on: screen }).text.split('\n');

test('a table without a terminal has every column in full', () => {
  expect(printed(on(null))).toEqual([
    'ID  NAME                   STATE    ORIGIN  ADDRESS',
    '1   a name of some length  active   panel   192.0.2.7',
    '22  b                      expired  panel   192.0.2.7',
  ]);
});

test('a table on a narrow terminal cuts its long cells a little, then loses its last columns, and then cuts more', () => {
  expect(printed(on(45))[1]).toBe('1   a name of so…  active   panel   192.0.2.7');
  expect(printed(on(36))[1]).toBe('1   a name of some…  active   panel');
  expect(printed(on(30))[1]).toBe('1   a name of some l…  active');
  expect(printed(on(22))[1]).toBe('1   a name o…  active');
});

test.each([22, 30, 40, 60, 80, 100, 160])('no line of a table is longer than %d columns', (width) => {
  for (const line of printed(on(width))) expect(line.length).toBeLessThanOrEqual(width);
});

test('letters that a terminal shows in two columns are counted as two', () => {
  const columns = [COLUMNS[1]!, COLUMNS[2]!];
  const { text } = formatTable([{ ...ROWS[0]!, name: '日本語の名前' }], columns, { on: on(18) });
  expect(text.split('\n')[1]).toBe('日本語の…   active');
});

test('lines below a row are broken between words, and in the middle of a word that is too long', () => {
  const below = () => ['some words that do not fit', 'x'.repeat(30)];
  const { text } = formatTable([ROWS[1]!], [COLUMNS[1]!], { below, on: on(24) });
  expect(text.split('\n').slice(2)).toEqual([
    '    some words that do',
    '    not fit',
    `    ${'x'.repeat(20)}`,
    `    ${'x'.repeat(10)}`,
  ]);
});

test('facts on a terminal are broken below their own column', () => {
  expect(formatFacts({ id: '1', scopes: 'one.read two.read three.read' }, on(30)).text.split('\n')).toEqual([
    'id      1',
    'scopes  one.read two.read',
    '        three.read',
  ]);
});

test('only the command can colour a text, not a name that it prints', () => {
  const { text } = formatTable([{ ...ROWS[0]!, name: '\u001b[31m' }], COLUMNS, { on: on(null, true) });
  expect(text).toContain('\u001b[32mactive\u001b[39m');
  expect(text).toContain('\\u{1b}[31m');
});

test.each([
  [{}, true, true],
  [{}, false, false],
  [{ TERM: 'dumb' }, true, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %j, and a terminal: %s, there are colours: %s', (env, isTerminal, expected) => {
  expect(showsColours(env, isTerminal)).toBe(expected);
});
