import type { AuditAction, AuditEntry, AuditQuery } from '../../lib/audit/AuditLog';
import { type Html, html, type Part, shownTime } from '../html';
import type { PageHandler, SectionRequest } from '../SectionRequest';

const MOST_ROWS = 100;

/** The audit trail, the newest entries first. */
export const auditPage: PageHandler = async (request) => {
  const filter = auditFilter(request);
  const before = request.query.get('before') ?? '';
  const from = /^[1-9]\d{0,14}$/.test(before) ? { before: Number(before) } : {};
  // One more shows whether there is a next page.
  const found = await request.installation.audit.list({ ...filter, ...from, limit: MOST_ROWS + 1 });
  const entries = found.slice(0, MOST_ROWS);
  const last = entries.at(-1);
  const more = found.length > MOST_ROWS && last ? auditQueryText(filter, { before: String(last.id) }) : null;
  return {
    title: 'Audit trail',
    content: html`<form class="toolbar" method="get" action="${request.to('audit')}" role="search">
<p class="filters"><span><label for="token">Token #id</label> <input id="token" name="token" size="8" inputmode="numeric" value="${request.query.get('token')}" aria-describedby="filter-hint"></span>
<span><label for="actor">Person</label> <input id="actor" name="actor" value="${filter.actor}" maxlength="128" aria-describedby="filter-hint"></span> <button>Show</button>
<small id="filter-hint">A token is found by its id, such as 7, not by its name; a person by the whole name.</small></p>
<p>Download all of these as <a href="${request.to(`audit.csv${auditQueryText(filter)}`)}" download>CSV</a> or <a href="${request.to(`audit.json${auditQueryText(filter)}`)}" download>JSON</a></p>
</form>
${auditTable(request, entries)}
${more === null ? null : html`<p class="pages"><a rel="next" href="${request.to(`audit${more}`)}">Older entries</a></p>`}`,
  };
};

/** Which entries are asked for, as the address of the page says. */
type AuditFilter = Pick<AuditQuery, 'tokenId' | 'actor'>;

/** Reads the filter; what cannot be a token's id asks for a token that there is not. */
export function auditFilter({ query }: SectionRequest): AuditFilter {
  const token = (query.get('token') ?? '').trim().replace(/^#/, '');
  const actor = (query.get('actor') ?? '').trim();
  return {
    ...(token === '' ? {} : { tokenId: /^[1-9]\d{0,9}$/.test(token) ? Number(token) : 0 }),
    ...(actor === '' ? {} : { actor }),
  };
}

/** The filter again, for an address. */
function auditQueryText(
  { tokenId, actor }: AuditFilter,
  others: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(tokenId === undefined ? {} : { token: String(tokenId) }),
    ...(actor === undefined ? {} : { actor }),
    ...others,
  }).toString();
  return query === '' ? '' : `?${query}`;
}

const WORDS: Readonly<Record<AuditAction, string>> = {
  'token.created': 'made a token',
  'token.revoked': 'revoked a token',
  'token.rotated': 'rotated a token',
  'settings.changed': 'changed the settings',
  'api.enabled': 'switched the API on',
  'api.disabled': 'switched the API off',
};

/** Entries of the audit trail: who, when, what, from where. */
export function auditTable(request: SectionRequest, entries: readonly AuditEntry[]): Html {
  if (entries.length === 0) return html`<p>There are no entries.</p>`;
  return html`<div class="wide"><table class="stacked"><thead><tr>
<th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th><th scope="col">Token</th><th scope="col">Details</th>
</tr></thead><tbody>
${entries.map(
  ({
    at,
    actor,
    action,
    origin,
    tokenId,
    details,
  }) => html`<tr><td data-label="When">${shownTime(at)}</td><td data-label="Who">${actor}</td><td data-label="What">${WORDS[action] ?? action}</td><td data-label="From">${origin}</td>
<td data-label="Token">${tokenId === null ? null : html`<a href="${request.to(`tokens/${tokenId}`)}">#${tokenId}</a>`}</td><td data-label="Details">${shownDetails(details)}</td></tr>
`,
)}</tbody></table></div>`;
}

function shownDetails(details: AuditEntry['details']): Html {
  return html`${Object.entries(details)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => html`<span class="detail">${name}: ${shownDetail(name, value)}</span> `)}`;
}

function shownDetail(name: string, value: unknown): Part {
  if (typeof value === 'string') return name.endsWith('_at') ? timeOf(value) : value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  if (isChange(value)) return `from ${word(value.from)} to ${word(value.to)}`;
  return JSON.stringify(value);
}

// A time stands in the trail as programs write it (RFC 3339).
function timeOf(text: string): Html | string {
  const milliseconds = Date.parse(text);
  return Number.isNaN(milliseconds) ? text : shownTime(Math.floor(milliseconds / 1000));
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

// Of the settings, only how many days pass until a token expires may be null.
function word(value: unknown): string {
  return value === null ? 'never' : String(value);
}
