import { type AuditEntry, type AuditQuery, auditActions, isAuditAction } from '../../lib/audit/AuditLog';
import { actionText } from '../../lib/audit/auditTexts';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { DAY_SECONDS, dayExists, parseTime } from '../../lib/time/time';
import { auditTable } from '../auditTable';
import { filterForm, filterWords, pageLinks, type SetFilter, setFilterLinks } from '../filters';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';

const MAX_ROWS = 100;

export const auditPage: PageHandler = async (request) => {
  const before = request.query.get('before') ?? '';
  const from = /^[1-9]\d{0,14}$/.test(before) ? { before: Number(before) } : {};
  const set = setFilters(request);
  // One entry more than the page shows, to know whether there is a next page.
  const page = { ...auditFilter(request), ...from, limit: MAX_ROWS + 1 };
  const found = await request.api.audit.list(page);
  const entries = found.slice(0, MAX_ROWS);
  const last = found.length > MAX_ROWS ? entries.at(-1) : undefined;
  const query = Object.fromEntries(set.map(({ name, text }) => [name, text]));
  const link = (name: 'csv' | 'json') =>
    html`<a class="button" href="${request.to(`audit.${name}`, query)}" download>${request.text(`audit.${name}`)}</a> `;
  const filters = set.map((one) => filterWords(request, one)).join('; ');
  const none = set.length === 0 ? request.text('audit.empty') : request.text('audit.no_match', { filters });
  const hint = html`<small id="filter-hint">${request.text('audit.hint')}</small>`;
  return {
    title: request.text('nav.audit'),
    subtitle: html`${request.text('audit.lead')}`,
    actions: html`${link('csv')}${link('json')}`,
    content: html`${filterForm(request, 'audit', fields(request), html`${hint}${suggested(request, found)}`)}
${setFilterLinks(request, 'audit', set)}
${entries.length === 0 ? html`<p>${none}</p>` : auditTable(request, entries)}
${pageLinks(request, 'audit', query, ['before', last ? String(last.id) : null])}`,
  };
};

type AuditFilter = Omit<AuditQuery, 'before' | 'limit'>;

/** What each parameter of the page's URL asks of the trail. Days are whole ones in UTC. */
const FILTERS = {
  actor: (actorName: string) => ({ actorName }),
  action(action: string) {
    if (!isAuditAction(action)) throw new InvalidInput('action', 'The audit trail has no such action.');
    return { action };
  },
  token(text: string) {
    const id = /^#?([1-9]\d{0,9})$/.exec(text)?.[1];
    return id === undefined ? { tokenName: text } : { tokenId: Number(id) };
  },
  since: (day: string) => ({ since: startOf(day) }),
  until: (day: string) => ({ until: startOf(day) + DAY_SECONDS }),
} satisfies Readonly<Record<string, (text: string) => AuditFilter>>;

function startOf(day: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) && dayExists(day) ? parseTime(day) : null;
  if (start === null) throw new InvalidInput('day', 'A day of the audit trail is written like 2026-07-31.');
  return start;
}

function setFilters(request: SectionRequest): readonly (SetFilter & { readonly asks: AuditFilter })[] {
  return Object.entries(FILTERS).flatMap(([name, ask]) => {
    const text = (request.query.get(name) ?? '').trim();
    if (text === '') return [];
    const asks: AuditFilter = ask(text);
    const value = asks.action ? request.text(actionText(asks.action)) : text;
    return [{ name, text, value, asks }];
  });
}

/** The filter in the page's URL. */
export function auditFilter(request: SectionRequest): AuditFilter {
  return Object.assign({}, ...setFilters(request).map(({ asks }) => asks));
}

/** The persons of these entries, as suggestions. */
function suggested({ actor }: SectionRequest, entries: readonly AuditEntry[]): Html {
  const actors = new Set([actor, ...entries.map((entry) => entry.actor)]);
  return html`<datalist id="actors">${[...actors].map((one) => html`<option value="${one}">`)}</datalist>`;
}

function fields(request: SectionRequest) {
  const text = html` maxlength="128" size="12" aria-describedby="filter-hint"`;
  const actor = html`${text} list="actors"`;
  const day = html` type="date"`;
  const actions = auditActions.map((action) => [action, request.text(actionText(action))] as const);
  const any = ['', request.text('audit.action.any')] as const;
  return { actor, action: [any, ...actions], token: text, since: day, until: day };
}
