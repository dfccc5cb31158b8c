import { type Html, html, type Part } from './html';

/** A column of a table: its name and the cell of a row. A cell may be the row's heading, or a number. */
type Column<Row> = readonly [name: string, cell: (row: Row) => Part, kind?: 'heading' | 'number'];

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
    ([name, , kind]) => html`<th scope="col"${kind === 'number' ? html` class="number"` : null}>${name}</th>`,
  );
  return html`<div class="wide"><table class="stacked"${attributes.table}><thead><tr>${headings}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr${attributes.row?.(row)}>${columns.map((column) => tableCell(column, row))}</tr>
`,
)}</tbody></table></div>`;
}

function tableCell<Row>([name, cell, kind]: Column<Row>, row: Row): Html {
  if (kind === 'heading') return html`<th scope="row">${cell(row)}</th>`;
  return html`<td data-label="${name}"${kind === 'number' ? html` class="number"` : null}>${cell(row)}</td>`;
}
