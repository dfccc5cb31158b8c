import { EVERY_SCOPE } from '../lib/operations/Operation';
import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type TokenWarning, tokenWarnings } from '../lib/tokens/tokenWarnings';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { shownState } from './tokenState';

/** How many tokens a page shows, and how many can be revoked together. */
export const MAX_ROWS = 100;

const COLUMNS = ['token', 'state', 'scopes', 'account', 'used', 'expires', 'today'] as const;

/**
 * Tokens, one line each; two lines in a narrow section. Active ones can be selected, to revoke them together. A warning
 * is a mark in the column that it is about.
 */
export function tokenTable(
  request: SectionRequest,
  tokens: readonly TokenRecord[],
  today: ReadonlyMap<number, number>,
): Html {
  const headings = COLUMNS.map(
    (name) => html`<th scope="col" class="${name}">${request.text(`tokens.column.${name}`)}</th>`,
  );
  const rows = tokens.map((token) => tokenRow(request, token, today.get(token.id) ?? 0));
  const all = request.text('tokens.select_all');
  return html`<form method="get" action="${request.to('tokens/revoke')}" class="token-list">
<table id="tokens"><thead><tr><td class="select" data-label="${all}"><input type="checkbox" hidden data-select-all aria-label="${all}"></td>${headings}</tr></thead><tbody>
${rows}</tbody></table>
${tokens.some(isSelectable) ? selection(request) : null}</form>`;
}

function selection(request: SectionRequest): Html {
  return html`<p class="selection" data-selection><span role="status" data-selected="${request.text('tokens.selected', { count: '{count}' })}"></span> <button class="danger">${request.text('tokens.revoke')}</button></p>`;
}

function isSelectable({ state }: TokenRecord): boolean {
  return state === 'active';
}

function tokenRow(request: SectionRequest, token: TokenRecord, today: number): Html {
  const { id, name, prefix, accountId } = token;
  const box = html`<input type="checkbox" name="id" value="${id}" aria-label="${request.text('tokens.select', { name, id: String(id) })}">`;
  const warnings = tokenWarnings(token);
  const none = (text: string) => html`<span class="none">${text}</span>`;
  // A narrow section shows the labels.
  const cell = (column: (typeof COLUMNS)[number], content: Part, label = '') =>
    html`<td class="${column}" data-label="${label}">${content}</td>`;
  return html`<tr class="${token.state}" data-id="${id}"><td class="select">${isSelectable(token) ? box : null}</td><th scope="row" class="token"><div><a href="${request.to(`tokens/${id}`)}" title="${name}">${name}</a> <code>${prefix}…</code> <small>#${id}</small></div></th>
${cell('state', shownState(request, token))}
${cell('scopes', scopes(request, token))}
${cell('account', accountId ?? none(request.text('tokens.all_accounts')), request.text('tokens.column.account'))}
${cell('used', marked(request, warnings, 'unused', request.relative(token.lastUsedAt)), request.text('tokens.label.used'))}
${cell('expires', expiry(request, token, warnings), request.text(token.state === 'expired' ? 'tokens.label.expired' : 'tokens.column.expires'))}
${cell('today', today === 0 ? none('0') : request.number(today), request.text('tokens.column.today'))}</tr>
`;
}

function scopes(request: SectionRequest, token: TokenRecord): Html {
  const [first = '', ...others] = token.scopes;
  if (token.scopes.includes(EVERY_SCOPE))
    return html`<span${token.state === 'active' ? html` class="mark"` : null}>${request.text('warning.wildcard')}</span>`;
  const more = request.text('tokens.more_scopes', { count: others.length });
  return html`<code>${first}</code>${others.length === 0 ? null : html` <span title="${others.join(' ')}">${more}</span>`}`;
}

/** An expiry that is nearer than this is urgent, so that it is seen among those of the next two weeks. */
const URGENT_SECONDS = 3 * DAY_SECONDS;

function expiry(request: SectionRequest, token: TokenRecord, warnings: readonly TokenWarning[]): Html {
  const { expiresAt, readAt, state } = token;
  if (state === 'revoked') return html`<span class="none">${request.text('tokens.no_expiry')}</span>`;
  const value = request.relative(expiresAt);
  if (expiresAt === null) return marked(request, warnings, 'everlasting', value);
  const tone = expiresAt < readAt + URGENT_SECONDS ? 'urgent' : 'warn';
  return marked(request, warnings, 'expiring', value, tone);
}

/** A value as a mark if there is this warning about the token, with the warning for those who hear the page. */
function marked(
  request: SectionRequest,
  warnings: readonly TokenWarning[],
  warning: TokenWarning,
  value: Html,
  tone = '',
): Html {
  if (!warnings.includes(warning)) return value;
  return html`<span class="mark ${tone}">${value}<span class="unseen"> (${request.text(`warning.${warning}`)})</span></span>`;
}
