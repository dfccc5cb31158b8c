import { type Html, html, type Part } from './html';

/**
 * A column of a table: its name and the cell of a row. A cell may be the row's heading, or a number, or
 * a field to fill in, which is only shown if there is a script that reads it.
 */
type Column<Row> = readonly [name: string, cell: (row: Row) => Part, kind?: 'heading' | 'number' | 'entry'];

/** Attributes of the table and of its rows. */
interface Attributes<Row> {
  readonly table?: Html;
  readonly row?: (row: Row) => Html;
}

/** A table. A narrow screen shows it row by row, with each cell on its own line after the column's name. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  attributes: Attributes<Row> = {},
): Html {
  const headings = columns.map(
    ([name, , kind]) => html`<th scope="col"${kind === 'heading' ? null : classOf(kind)}>${name}</th>`,
  );
  return html`<div class="wide"><table class="stacked"${attributes.table}><thead><tr>${headings}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr${attributes.row?.(row)}>${columns.map((column) => tableCell(column, row))}</tr>
`,
)}</tbody></table></div>`;
}

function tableCell<Row>([name, cell, kind]: Column<Row>, row: Row): Html {
  if (kind === 'heading') return html`<th scope="row">${cell(row)}</th>`;
  return html`<td data-label="${name}"${classOf(kind)}>${cell(row)}</td>`;
}

function classOf(kind: string | undefined): Html | null {
  return kind === undefined ? null : html` class="${kind}"`;
}
