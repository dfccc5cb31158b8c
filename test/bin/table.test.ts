import { type Screen, showsColours } from '../../bin/Terminal';
import { type Cell, type Column, formatFacts, formatTable } from '../../bin/table';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly state: Cell;
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: 'ID', cell: ({ id }) => String(id) },
  { heading: 'NAME', cell: ({ name }) => name, narrow: 'cut' },
  { heading: 'STATE', cell: ({ state }) => state },
  { heading: 'ORIGIN', cell: () => 'panel', narrow: 'left out' },
  { heading: 'ADDRESS', cell: () => '192.0.2.7', narrow: 'left out' },
];
const ROWS: readonly Row[] = [
  { id: 1, name: 'a name of some length', state: { text: 'active', style: 'green' } },
  { id: 22, name: 'b', state: 'expired' },
];

const on = (width: number | null, colours = false): Screen => ({ width, colours });
const printed = (screen: Screen) => formatTable(ROWS, COLUMNS, screen).text.split('\n');

test('a table without a terminal has every column in full', () => {
  expect(printed(on(null))).toEqual([
    'ID  NAME                   STATE    ORIGIN  ADDRESS',
    '1   a name of some length  active   panel   192.0.2.7',
    '22  b                      expired  panel   192.0.2.7',
  ]);
});

test('a table on a narrow terminal cuts its long cells a little, then loses its last columns, and then cuts more', () => {
  expect(printed(on(52))[1]).toBe('1   a name of some leng…  active   panel   192.0.2.7');
  expect(printed(on(51))[1]).toBe('1   a name of some length  active   panel');
  expect(printed(on(40))[1]).toBe('1   a name of some length  active');
  expect(printed(on(22))[1]).toBe('1   a name o…  active');
});

test.each([22, 30, 40, 60, 80, 100, 160])('no line of a table is longer than %d columns', (width) => {
  for (const line of printed(on(width))) expect(line.length).toBeLessThanOrEqual(width);
});

test('lines below a row are broken between words', () => {
  const below = () => ['some words that do not fit'];
  const { text } = formatTable([ROWS[1]!], [COLUMNS[1]!], on(24), below);
  expect(text.split('\n').slice(2)).toEqual(['    some words that do', '    not fit']);
});

test('facts on a terminal are broken below their own column', () => {
  expect(formatFacts({ id: '1', scopes: 'one.read two.read three.read' }, on(30)).text.split('\n')).toEqual([
    'id      1',
    'scopes  one.read two.read',
    '        three.read',
  ]);
});

test('only the command can colour a text, not a name that it prints', () => {
  const { text } = formatTable([{ ...ROWS[0]!, name: '\u001b[31m' }], COLUMNS, on(null, true));
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
