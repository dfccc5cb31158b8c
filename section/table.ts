import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TextKey } from './texts';

/** A column: the text of its name or a number, the cell of a row, and `heading` for the row's heading or a class of its cells. */
export type Column<Row> = readonly [name: TextKey | number, cell: (row: Row) => Part, kind?: string];

/** A table. A narrow screen shows it row by row, with each cell on its own line after the column's name. */
export function table<Row>(
  request: SectionRequest,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  attributes: { readonly table?: Html; readonly row?: (row: Row) => Html | false } = {},
): Html {
  const wordsOf = (name: TextKey | number) => (typeof name === 'number' ? `${name}` : request.text(name));
  const classOf = (kind?: string) => kind && kind !== 'heading' && html` class="${kind}"`;
  const cellOf = ([name, cell, kind]: Column<Row>, row: Row) =>
    kind === 'heading'
      ? html`<th scope="row">${cell(row)}</th>`
      : html`<td data-label="${wordsOf(name)}"${classOf(kind)}>${cell(row)}</td>`;
  return html`<div class="wide"><table class="stacked"${attributes.table}><thead><tr>${columns.map(([name, , kind]) => html`<th scope="col"${classOf(kind)}>${wordsOf(name)}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr${attributes.row?.(row)}>${columns.map((column) => cellOf(column, row))}</tr>`,
)}</tbody></table></div>`;
}
