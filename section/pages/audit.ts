import { type AuditQuery, auditActions, isAuditAction } from '../../lib/audit/AuditLog';
import { actionText } from '../../lib/audit/auditTexts';
import { DAY_SECONDS, dayExists, parseTime } from '../../lib/time/time';
import { auditTable } from '../auditTable';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { pageLinks, setFilterLinks } from '../table';

const MAX_ROWS = 100;

/** The audit trail, newest entries first. */
export const auditPage: PageHandler = async (request) => {
  const before = request.query.get('before') ?? '';
  const from = /^[1-9]\d{0,14}$/.test(before) ? { before: Number(before) } : {};
  const set = setFilters(request);
  // One entry more than the page shows, to know whether there is a next page.
  const asked = { ...auditFilter(request), ...from, limit: MAX_ROWS + 1 };
  const found = await request.installation.audit.list(asked);
  const entries = found.slice(0, MAX_ROWS);
  const last = found.length > MAX_ROWS ? entries.at(-1) : undefined;
  const query = queryOf(set);
  const link = (name: 'csv' | 'json') =>
    html`<a class="button" href="${request.to(`audit.${name}`, query)}" download>${request.text(`audit.${name}`)}</a> `;
  return {
    title: request.text('nav.audit'),
    subtitle: html`${request.text('audit.lead')}`,
    actions: html`${link('csv')}${link('json')}`,
    content: html`${filterForm(request)}
${setFilterLinks(
  request,
  'audit',
  set.map((one) => ({ ...one, words: filterText(request, one) })),
)}
${entries.length === 0 ? html`<p>${nothing(request, set)}</p>` : auditTable(request, entries)}
${pageLinks(request, 'audit', { query, isLater: 'before' in from, next: last ? { before: String(last.id) } : null })}`,
  };
};

type AuditFilter = Omit<AuditQuery, 'before' | 'limit'>;

/** What each parameter of the page's URL asks of the trail; null for an invalid value. Days are whole ones in UTC. */
const FILTERS = {
  actor: (actor: string) => ({ actor }),
  action: (action: string) => (isAuditAction(action) ? { action } : null),
  token(text: string) {
    const id = /^#?([1-9]\d{0,9})$/.exec(text)?.[1];
    return id === undefined ? { tokenName: text } : { tokenId: Number(id) };
  },
  since: (day: string) => atStartOf(day, (since) => ({ since })),
  until: (day: string) => atStartOf(day, (last) => ({ until: last + DAY_SECONDS })),
} satisfies Readonly<Record<string, (text: string) => AuditFilter | null>>;

type FilterName = keyof typeof FILTERS;

/** Null for an invalid day. */
function atStartOf(day: string, ask: (start: number) => AuditFilter): AuditFilter | null {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) && dayExists(day) ? parseTime(day) : null;
  return start === null ? null : ask(start);
}

/** A filter that is set in the page's URL. */
interface SetFilter {
  readonly name: FilterName;
  readonly text: string;
  readonly asks: AuditFilter;
}

function setFilters({ query }: SectionRequest): readonly SetFilter[] {
  return (Object.keys(FILTERS) as FilterName[]).flatMap((name) => {
    const text = (query.get(name) ?? '').trim();
    const asks = text === '' ? null : FILTERS[name](text);
    return asks === null ? [] : [{ name, text, asks }];
  });
}

/** The filter in the page's URL. */
export function auditFilter(request: SectionRequest): AuditFilter {
  return Object.assign({}, ...setFilters(request).map(({ asks }) => asks));
}

function queryOf(set: readonly SetFilter[]): Readonly<Record<string, string>> {
  return Object.fromEntries(set.map(({ name, text }) => [name, text]));
}

function filterForm(request: SectionRequest): Html {
  const chosen = request.query.get('action');
  const filter = (name: FilterName, field: Html) =>
    html`<span><label for="${name}">${request.text(`audit.filter.${name}`)}</label> ${field}</span>
`;
  const input = (name: FilterName, attributes: Html) =>
    filter(name, html`<input id="${name}" name="${name}" value="${request.query.get(name)}" ${attributes}>`);
  const text = html`maxlength="128" size="16" aria-describedby="filter-hint"`;
  const options = auditActions.map(
    (action) =>
      html`<option value="${action}"${action === chosen && html` selected`}>${request.text(actionText(action))}</option>`,
  );
  return html`<form class="filters audit-filters" method="get" action="${request.to('audit')}" role="search">
${input('actor', text)}
${filter('action', html`<select id="action" name="action"><option value="">${request.text('audit.filter.action.any')}</option>${options}</select>`)}
${input('token', text)}
${input('since', html`type="date"`)}
${input('until', html`type="date"`)}
<button>${request.text('audit.filter.show')}</button>
<small id="filter-hint">${request.text('audit.filter.hint')}</small>
</form>`;
}

/** A filter in words. */
function filterText(request: SectionRequest, { name, text, asks }: SetFilter): string {
  const value = asks.action === undefined ? text : request.text(actionText(asks.action));
  return request.text('filter.value', { filter: request.text(`audit.filter.${name}`), value });
}

function nothing(request: SectionRequest, set: readonly SetFilter[]): string {
  const filters = set.map((one) => filterText(request, one)).join('; ');
  return set.length === 0 ? request.text('audit.empty') : request.text('audit.no_match', { filters });
}
