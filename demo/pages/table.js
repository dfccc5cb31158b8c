const { html } = require('./html');

/** A table of rows; each column has a heading and a cell. Without rows, it is one sentence. */
module.exports = function table(rows, columns, none = 'There is nothing here.') {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const names = Object.keys(columns);
  return html`<div class="scroll"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${names.map((name, index) => cell(name, columns[name](row), index))}</tr>\n`)}</tbody>
</table></div>`;
};

function cell(name, value, index) {
  return index === 0 ? html`<th scope="row">${value}</th>` : html`<td data-label="${name}">${value}</td>`;
}
