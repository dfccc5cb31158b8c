import { Help } from 'commander';
import { printable } from '../lib/errors/printable';
import { SafeText, type Screen, type Style, styled } from './Terminal';

/** Text for people, with a style that a terminal shows. */
export type Cell = string | { readonly text: string; readonly style: Style | null };

/** A column of a table of `T`. */
export interface Column<T> {
  readonly heading: string;
  readonly cell: (row: T, screen: Screen) => Cell;
  /** Whether the column is shown only on a terminal, or only elsewhere. Default: on both. */
  readonly only?: 'terminal' | 'elsewhere';
  /**
   * What may happen if the terminal is too narrow: its cells are cut, or it is left out, the last one first, and perhaps
   * named below the table.
   */
  readonly narrow?: 'cut' | 'left out' | 'named';
}

const GAP = '  ';
const INDENT = '    ';
const LONGEST_CELL = 5000; // A hundred networks are shorter.
/** Cells that may be cut keep this length before a column is left out, and the other one in any case. */
const KEPT = 20;
const LEAST = 4;

/**
 * Formats rows as a table. Each cell stays on one line, and control characters are escaped. On a terminal no line is
 * longer than the terminal is wide; elsewhere every column is shown in full. `below` are lines below a row.
 */
export function formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  screen: Screen,
  below: (row: T) => readonly Cell[] = () => [],
): SafeText {
  const other = screen.width === null ? 'terminal' : 'elsewhere';
  const all = columns
    .filter(({ only }) => only !== other)
    .map(({ heading, cell, narrow }) => {
      const cells = [safe({ text: heading, style: 'dim' }), ...rows.map((row) => safe(cell(row, screen)))];
      return { cells, narrow, width: cells.reduce((most, { text }) => Math.max(most, text.length), 0) };
    });
  const fitting = screen.width === null ? all : fitted(all, screen.width);
  const line = (index: number) =>
    fitting
      .map(({ cells, width }) => {
        const { text, style } = cells[index] as Styled;
        const shown = text.length <= width ? text : `${text.slice(0, width - 1).toWellFormed()}…`;
        return styled(shown, style, screen) + ' '.repeat(width - shown.length);
      })
      .join(GAP)
      .trimEnd();
  const lines = rows.flatMap((row, index) => [
    line(index + 1),
    ...below(row).map((cell) => INDENT + hanging(cell, INDENT, screen)),
  ]);
  const isShown = (cells: readonly Styled[]) => fitting.some((column) => column.cells === cells);
  const named = all.filter(({ narrow, cells }) => narrow === 'named' && !isShown(cells));
  const text = `left out: ${named.map(({ cells: [heading] }) => heading?.text).join(', ')}`;
  const end = named.length > 0 ? [hanging({ text, style: 'dim' }, INDENT, screen)] : [];
  return new SafeText([line(0), ...lines, ...end].join('\n'));
}

/** Formats names and values, one pair per line. */
export function formatFacts(facts: Readonly<Record<string, Cell>>, screen: Screen): SafeText {
  const longest = Math.max(...Object.keys(facts).map(({ length }) => length));
  const indent = ' '.repeat(longest) + GAP;
  const lines = Object.entries(facts).map(
    ([name, value]) =>
      styled(name, 'dim', screen) + indent.slice(name.length) + hanging(value, indent, screen),
  );
  return new SafeText(lines.map((line) => line.trimEnd()).join('\n'));
}

type Styled = Exclude<Cell, string>;

function safe(cell: Cell): Styled {
  const { text, style } = typeof cell === 'string' ? { text: cell, style: null } : cell;
  return { text: printable(text, LONGEST_CELL), style };
}

/** The columns of which a line fits, with their widths. */
function fitted<C extends { readonly narrow: Column<never>['narrow']; readonly width: number }>(
  columns: readonly C[],
  width: number,
): readonly C[] {
  const excess = (all: readonly C[], most = Infinity) =>
    all.reduce((sum, one) => sum + (one.narrow === 'cut' ? Math.min(one.width, most) : one.width) + 2, -2) -
    width;
  const last = columns.findLastIndex(({ narrow }) => narrow === 'left out' || narrow === 'named');
  if (last >= 0 && excess(columns, KEPT) > 0) return fitted(columns.toSpliced(last, 1), width);
  const result = [...columns];
  for (let rest = excess(result); rest > 0; rest -= 1) {
    const room = result.map((one) => (one.narrow === 'cut' ? one.width - LEAST : 0));
    const widest = room.indexOf(Math.max(...room));
    const one = result[widest];
    if (!one || room[widest]! <= 0) break;
    result[widest] = { ...one, width: one.width - 1 };
  }
  return result;
}

/** A text below an indent that is there already, on a terminal broken between words. */
function hanging(cell: Cell, indent: string, screen: Screen): string {
  const { text, style } = safe(cell);
  const room = screen.width === null ? Infinity : Math.max(KEPT, screen.width - indent.length);
  const lines = wrap(text, room).split('\n');
  return lines.map((line) => styled(line, style, screen)).join(`\n${indent}`);
}

const help = Object.assign(new Help(), { minWidthToWrap: 0 });

/** Breaks a text into lines that are at most this wide, unless a word is longer. */
export function wrap(text: string, width: number): string {
  return help.boxWrap(text, width);
}
