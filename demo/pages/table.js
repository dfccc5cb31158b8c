const { html } = require('./html');

/** A table of rows; each column has a heading and a cell. Without rows, it is one sentence. */
module.exports = function table(rows, columns, none = 'There is nothing here.') {
  if (rows.length === 0) return html`<p class="none">${none}</p>`;
  const names = Object.keys(columns);
  return html`<div class="scroll"><table>
<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${names.map((name) => html`<td data-label="${name}">${columns[name](row)}</td>`)}</tr>\n`)}</tbody>
</table></div>`;
};
