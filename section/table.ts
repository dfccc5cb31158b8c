import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/** A column of a table: its name, the cell of a row, and `heading` for the row's heading or a class of its cells. */
export type Column<Row> = readonly [name: string, cell: (row: Row) => Part, kind?: string];

interface Attributes<Row> {
  /** Whether a narrow screen shows the table row by row, with each cell on its own line after the column's name. */
  readonly isStacked?: boolean;
  readonly table?: Html;
  readonly row?: (row: Row) => Html | false;
}

export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { isStacked = true, ...attributes }: Attributes<Row> = {},
): Html {
  const classOf = (kind?: string) => kind && kind !== 'heading' && html` class="${kind}"`;
  const cellOf = ([name, cell, kind]: Column<Row>, row: Row) =>
    kind === 'heading'
      ? html`<th scope="row">${cell(row)}</th>`
      : html`<td data-label="${name}"${classOf(kind)}>${cell(row)}</td>`;
  return html`<div class="wide"><table${isStacked && html` class="stacked"`}${attributes.table}><thead><tr>${columns.map(([name, , kind]) => html`<th scope="col"${classOf(kind)}>${name}</th>`)}</tr></thead><tbody>
${rows.map(
  (row) => html`<tr${attributes.row?.(row)}>${columns.map((column) => cellOf(column, row))}</tr>
`,
)}</tbody></table></div>`;
}

interface Turns {
  readonly query: Readonly<Record<string, string>>;
  /** Whether this is not the first page. */
  readonly isLater: boolean;
  /** The parameter of the next page; null if this is the last one. */
  readonly next: Readonly<Record<string, string>> | null;
}

/** A filter that is set in the URL of a page, and what it is in words. */
export interface SetFilter {
  readonly name: string;
  readonly text: string;
  readonly words: string;
}

/** The filters that are set, each with the link that removes it. `kept` are parameters that are no filter. */
export function setFilterLinks(
  request: SectionRequest,
  list: 'tokens' | 'audit',
  set: readonly SetFilter[],
  kept: Readonly<Record<string, string>> = {},
): Html | null {
  if (set.length === 0) return null;
  const removal = (one: SetFilter) => {
    const others = set.filter((other) => other !== one).map(({ name, text }) => [name, text]);
    const path = request.to(list, { ...kept, ...Object.fromEntries(others) });
    return html`<li><a href="${path}" aria-label="${request.text('filter.remove', { filter: one.words })}">${one.words}</a></li>
`;
  };
  return html`<ul class="set-filters" aria-label="${request.text('filter.list')}">
${set.map(removal)}${set.length > 1 && html`<li><a class="all" href="${request.to(list, kept)}">${request.text('filter.clear')}</a></li>`}</ul>`;
}

/** The links to the first and to the next page of a list. */
export function pageLinks(
  request: SectionRequest,
  list: 'tokens' | 'audit',
  { query, isLater, next }: Turns,
): Html | null {
  if (!isLater && next === null) return null;
  return html`<p class="pages">${isLater && html`<a href="${request.to(list, query)}">${request.text(`${list}.newest`)}</a> `}${next && html`<a rel="next" href="${request.to(list, { ...query, ...next })}">${request.text(`${list}.older`)}</a>`}</p>`;
}
