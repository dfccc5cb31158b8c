import type { AuditQuery } from '../../lib/audit/AuditLog';
import { auditTable } from '../auditTable';
import { html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

const MAX_ROWS = 100;

/** The audit trail, newest entries first. */
export const auditPage: PageHandler = async (request) => {
  const filter = auditFilter(request);
  const before = request.query.get('before') ?? '';
  const from = /^[1-9]\d{0,14}$/.test(before) ? { before: Number(before) } : {};
  // One entry more than the page shows, to know whether there is a next page.
  const found = await request.installation.audit.list({ ...filter, ...from, limit: MAX_ROWS + 1 });
  const entries = found.slice(0, MAX_ROWS);
  const last = entries.at(-1);
  const older = found.length > MAX_ROWS && last ? auditQueryText(filter, { before: String(last.id) }) : null;
  return {
    title: 'Audit trail',
    content: html`<form class="toolbar" method="get" action="${request.to('audit')}" role="search">
<p class="filters"><span><label for="token">Token #id</label> <input id="token" name="token" size="8" inputmode="numeric" value="${request.query.get('token')}" aria-describedby="filter-hint"></span>
<span><label for="actor">Person</label> <input id="actor" name="actor" value="${filter.actor}" maxlength="128" aria-describedby="filter-hint"></span> <button>Show</button>
<small id="filter-hint">Enter the id of a token, such as 7, or the full name of a person.</small></p>
<p>Download all of these as <a href="${request.to(`audit.csv${auditQueryText(filter)}`)}" download>CSV</a> or <a href="${request.to(`audit.json${auditQueryText(filter)}`)}" download>JSON</a></p>
</form>
${auditTable(request, entries)}
${older === null ? null : html`<p class="pages"><a rel="next" href="${request.to(`audit${older}`)}">Older entries</a></p>`}`,
  };
};

type AuditFilter = Pick<AuditQuery, 'tokenId' | 'actor'>;

/** Parses the filter in the page's URL. An invalid token id matches no entry. */
export function auditFilter({ query }: SectionRequest): AuditFilter {
  const token = (query.get('token') ?? '').trim().replace(/^#/, '');
  const actor = (query.get('actor') ?? '').trim();
  return {
    ...(token === '' ? {} : { tokenId: /^[1-9]\d{0,9}$/.test(token) ? Number(token) : 0 }),
    ...(actor === '' ? {} : { actor }),
  };
}

/** Writes the filter into a URL. */
function auditQueryText(
  { tokenId, actor }: AuditFilter,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(tokenId === undefined ? {} : { token: String(tokenId) }),
    ...(actor === undefined ? {} : { actor }),
    ...more,
  }).toString();
  return query === '' ? '' : `?${query}`;
}
