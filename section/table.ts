import { type Html, html, type Part } from './html';

/** A column of a table: its name, the cell of a row, and `heading` for the row's heading or a class of its cells. */
type Column<Row> = readonly [name: string, cell: (row: Row) => Part, kind?: string];

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
