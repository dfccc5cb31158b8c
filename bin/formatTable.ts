import { printable } from '../lib/text/printable';

const GAP = '  ';

const graphemes = new Intl.Segmenter();

/** Rows under headings, in columns. Whatever a cell holds, it stays on its line and harms no terminal. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return aligned([headings, ...rows]);
}

/** Names and values, one pair on each line. */
export function formatFacts(facts: Readonly<Record<string, string>>): string {
  return aligned(Object.entries(facts));
}

function aligned(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => printable(cell, 1000)));
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((cells) => width(cells[column] ?? ''))));
  return lines
    .map((cells) =>
      cells
        .map((cell, column) => cell + ' '.repeat((widths?.[column] ?? 0) - width(cell)))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function width(cell: string): number {
  return [...graphemes.segment(cell)].length;
}
