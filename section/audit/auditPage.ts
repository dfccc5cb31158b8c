import { html } from '../html/html';
import type { PageHandler } from '../Page';
import { auditFilter, auditQueryText } from './auditFilter';
import { auditTable } from './auditTable';

const MOST_ROWS = 100;

/** The audit trail, the newest entries first. */
export const auditPage: PageHandler = async (visit) => {
  const filter = auditFilter(visit);
  const before = visit.query.get('before') ?? '';
  const from = /^[1-9]\d{0,14}$/.test(before) ? { before: Number(before) } : {};
  // One more shows whether there is a next page.
  const found = await visit.installation.audit.list({ ...filter, ...from, limit: MOST_ROWS + 1 });
  const entries = found.slice(0, MOST_ROWS);
  const last = entries.at(-1);
  const more = found.length > MOST_ROWS && last ? auditQueryText(filter, { before: String(last.id) }) : null;
  return {
    title: 'Audit trail',
    content: html`<form class="toolbar" method="get" action="${visit.to('audit')}" role="search">
<p class="filters"><span><label for="token">Token #id</label> <input id="token" name="token" size="8" inputmode="numeric" value="${visit.query.get('token')}" aria-describedby="filter-hint"></span>
<span><label for="actor">Person</label> <input id="actor" name="actor" value="${filter.actor}" maxlength="128" aria-describedby="filter-hint"></span> <button>Show</button>
<small id="filter-hint">A token is found by its id, such as 7, not by its name; a person by the whole name.</small></p>
<p>Download all of these as <a href="${visit.to(`audit.csv${auditQueryText(filter)}`)}" download>CSV</a> or <a href="${visit.to(`audit.json${auditQueryText(filter)}`)}" download>JSON</a></p>
</form>
${auditTable(visit, entries)}
${more === null ? null : html`<p class="pages"><a rel="next" href="${visit.to(`audit${more}`)}">Older entries</a></p>`}`,
  };
};
