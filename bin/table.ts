import { printable } from '../lib/errors/printable';
import { type Cell, type Screen, type Style, screen, styled } from './screen';

/** Lines without control characters, other than line ends and the command's own colours. */
export class SafeText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A column of a table of `T`. */
export interface Column<T> {
  readonly heading: string;
  readonly cell: (row: T) => Cell;
  /**
   * How far its cells may be cut if the terminal is too narrow; to twice as much before a column is left out. Default:
   * they are never cut.
   */
  readonly least?: number;
  /** Whether the column is left out, the last one first, if the terminal is too narrow. */
  readonly optional?: true;
}

const GAP = '  ';
const LONGEST_CELL = 1000;

/**
 * Formats rows as a table. Each cell stays on one line, and control characters are escaped. On a terminal no line is
 * longer than the terminal is wide; elsewhere every column is shown in full. `below` are lines below a row.
 */
export function formatTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { below = () => [], on = screen }: { below?: (row: T) => readonly Cell[]; on?: Screen } = {},
): SafeText {
  const headings = columns.map(({ heading }) => ({ text: heading, style: 'dim' as const }));
  const cells = [headings, ...rows.map((row) => columns.map(({ cell }) => safe(cell(row))))];
  const natural = columns.map((_, index) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[index]?.text ?? '')), 0),
  );
  const widths = fitted(columns, natural, on.width);
  const lines = cells.map((row) => line(row, widths, on));
  return new SafeText(
    lines
      .flatMap((text, index) => {
        const row = rows[index - 1];
        return row === undefined ? [text] : [text, ...below(row).flatMap((cell) => hanging(cell, on))];
      })
      .join('\n'),
  );
}

/** Formats names and values, one pair per line. */
export function formatFacts(facts: Readonly<Record<string, Cell>>, on: Screen = screen): SafeText {
  const rows = Object.entries(facts).map(([name, value]) => [safe(name), safe(value)] as const);
  const names = Math.max(...rows.map(([name]) => widthOf(name.text)));
  const room = on.width === null ? Infinity : Math.max(20, on.width - names - GAP.length);
  const indent = ' '.repeat(names) + GAP;
  return new SafeText(
    rows
      .map(([name, { text, style }]) => {
        const values = wrap(text, room).map((part) => styled(part, style, on));
        return (
          styled(name.text, 'dim', on) +
          indent.slice(widthOf(name.text)) +
          values.join(`\n${indent}`)
        ).trimEnd();
      })
      .join('\n'),
  );
}

interface Styled {
  readonly text: string;
  readonly style: Style | null;
}

function safe(cell: Cell): Styled {
  const { text, style } = typeof cell === 'string' ? { text: cell, style: null } : cell;
  return { text: printable(text, LONGEST_CELL), style };
}

/** The width of each column so that a line fits; null for a column that is left out. */
function fitted<T>(columns: readonly Column<T>[], natural: readonly number[], width: number | null) {
  const widths: (number | null)[] = [...natural];
  if (width === null) return widths;
  const leastOf = (index: number, times = 1) =>
    Math.min(times * (columns[index]?.least ?? Infinity), natural[index] ?? 0);
  const sum = (of: (index: number) => number) =>
    widths.reduce<number>(
      (all, one, index) => all + (one === null ? 0 : of(index) + GAP.length),
      -GAP.length,
    );
  for (let index = columns.length - 1; index >= 0 && sum((each) => leastOf(each, 2)) > width; index -= 1) {
    if (columns[index]?.optional) widths[index] = null;
  }
  while (sum((index) => widths[index] ?? 0) > width) {
    const room = widths.map((one, index) => (one === null ? 0 : one - leastOf(index)));
    const widest = room.indexOf(Math.max(...room));
    if (room[widest] === 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function line(cells: readonly Styled[], widths: readonly (number | null)[], on: Screen): string {
  return cells
    .flatMap(({ text, style }, index) => {
      const width = widths[index] ?? null;
      if (width === null) return [];
      const shown = cut(text, width);
      return [styled(shown, style, on) + ' '.repeat(width - widthOf(shown))];
    })
    .join(GAP)
    .trimEnd();
}

const INDENT = '    ';

/** The lines of a cell below a row, indented and on a terminal broken between words. */
function hanging(cell: Cell, on: Screen): readonly string[] {
  const { text, style } = safe(cell);
  const room = on.width === null ? Infinity : Math.max(20, on.width - INDENT.length);
  return wrap(text, room).map((part) => INDENT + styled(part, style, on));
}

/** Breaks a text into lines that are at most this wide. */
export function wrap(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines = [''];
  for (const word of text.split(' ').flatMap((long) => slices(long, width))) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
    if (widthOf(longer) <= width) lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A word that is wider than a line, in parts. */
function slices(word: string, width: number): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const { segment } of graphemes.segment(word)) {
    if (widthOf(part + segment) > width) {
      parts.push(part);
      part = '';
    }
    part += segment;
  }
  return [...parts, part];
}

function cut(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${slices(text, width - 1)[0]}…`;
}

const graphemes = new Intl.Segmenter();

// Letters of East Asia and pictures, which terminals show in two columns.
const WIDE =
  /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;

/** How many columns of a terminal a text takes. */
function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  return [...graphemes.segment(text)].reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0);
}
