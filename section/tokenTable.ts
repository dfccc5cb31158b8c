import { EVERY_SCOPE } from '../lib/fields/Operation';
import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type TokenWarning, tokenWarnings } from '../lib/tokens/tokenWarnings';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { accountLinks, shownState } from './tokenFacts';

/** How many tokens a page shows, and how many can be revoked together. */
export const MAX_ROWS = 100;

/**
 * Tokens, of which active ones can be selected, to revoke them together. A narrow section shows the labels of some cells.
 * A warning is a mark in the column that it is about. `requests` are those of the last 30 days.
 */
export function tokenTable(
  request: SectionRequest,
  tokens: readonly TokenRecord[],
  requests: ReadonlyMap<number, number>,
): Html {
  const headings = {
    token: request.text('tokens.column.token'),
    state: request.text('tokens.column.state'),
    scopes: request.text('token.scopes'),
    account: request.text('token.account'),
    used: request.text('token.used'),
    expires: request.text('token.expires'),
    requests: request.text('tokens.column.requests'),
  };
  const cell = (column: keyof typeof headings, content: Part, label = '') =>
    html`<td class="${column}" data-label="${label}">${content}</td>`;
  const row = (token: TokenRecord) => {
    const { id, name, prefix, state } = token;
    const box = html`<input type="checkbox" name="id" value="${id}" aria-label="${request.text('tokens.select', { name, id: String(id) })}">`;
    const ends = state === 'expired' ? request.text('tokens.label.expired') : headings.expires;
    const used = marked(request, token, 'unused', request.relative(token.lastUsedAt));
    const count = requests.get(id);
    const isActive = state === 'active';
    return html`<tr class="${state}" data-id="${id}"><td class="select">${isActive && box}</td><th scope="row" class="token"><div><a href="${request.to(`tokens/${id}`)}" title="${name}">${name}</a> ${code(`${prefix}…`)} <small>#${id}</small></div></th>
${cell('state', shownState(request, token))}
${cell('scopes', scopes(request, token))}
${cell('account', accountLinks(request, token), headings.account)}
${cell('used', used, request.text('tokens.label.used'))}
${cell('expires', expiry(request, token), ends)}
${cell('requests', count ? request.number(count) : none('0'), headings.requests)}
<td class="menu">${isActive && menu(request, token)}</td></tr>`;
  };
  const all = request.text('tokens.select_all');
  const columns = Object.entries(headings);
  return html`<form method="get" action="${request.to('tokens/revoke')}" class="token-list">
<table id="tokens"><thead><tr><td class="select" data-label="${all}"><input type="checkbox" hidden data-select-all aria-label="${all}"></td>${columns.map(([column, name]) => html`<th scope="col" class="${column}">${name}</th>`)}<td class="menu"></td></tr></thead><tbody>
${tokens.map(row)}</tbody></table>
${tokens.some(({ state }) => state === 'active') && html`<p class="selection" data-selection><span role="status" data-selected="${request.text('tokens.selected', { count: '{count}' })}"></span> <button class="danger">${request.text('tokens.revoke')}</button></p>`}</form>`;
}

function none(text: string): Html {
  return html`<span class="none">${text}</span>`;
}

function scopes(request: SectionRequest, token: TokenRecord): Html {
  // The one that the list is filtered by shows why the token is in it.
  const rank = (scope: string) => Number(scope !== request.query.get('scope'));
  const [first = '', ...others] = token.scopes.toSorted((one, other) => rank(one) - rank(other));
  if (token.scopes.includes(EVERY_SCOPE))
    return html`<span${token.state === 'active' && html` class="mark"`}>${request.text('warning.wildcard')}</span>`;
  const chip = (scope: string) =>
    html`<a href="${request.to('tokens', { scope })}"><code class="chip">${scope}</code></a> `;
  if (others.length === 0) return chip(first);
  const more = html`${request.text('tokens.more_scopes', { count: others.length })}<span class="unseen"> ${request.text('tokens.all_scopes')}</span>`;
  return html`${chip(first)}<details class="opens" name="opens"><summary>${more}</summary><p>${others.map(chip)}</p></details>`;
}

/** What can be done with an active token, by the links of its page. */
function menu(request: SectionRequest, { id, name, expiresAt, rotatedAt }: TokenRecord): Html {
  const link = (action: 'extend' | 'rotate' | 'revoke') =>
    request.link(`tokens/${id}/${action}`, request.text(`token.${action}`));
  return html`<details class="opens" name="opens"><summary aria-label="${request.text('tokens.actions', { name, id: String(id) })}">⋯</summary><p>${expiresAt !== null && link('extend')}${rotatedAt === null && link('rotate')}${link('revoke')}</p></details>`;
}

/** An expiry that is nearer than this is urgent, so that it is seen among those of the next two weeks. */
const URGENT_SECONDS = 3 * DAY_SECONDS;

function expiry(request: SectionRequest, token: TokenRecord): Html {
  const { expiresAt, readAt, state } = token;
  if (state === 'revoked') return none(request.text('tokens.no_expiry'));
  const value = request.relative(expiresAt);
  if (expiresAt === null) return marked(request, token, 'everlasting', value);
  const tone = expiresAt < readAt + URGENT_SECONDS ? 'urgent' : 'warn';
  return marked(request, token, 'expiring', value, tone);
}

/** A value as a mark if there is this warning about the token, with the warning for those who hear the page. */
function marked(request: SectionRequest, token: TokenRecord, warning: TokenWarning, value: Html, tone = '') {
  if (!tokenWarnings(token).includes(warning)) return value;
  return html`<span class="mark ${tone}">${value}<span class="unseen"> (${request.text(`warning.${warning}`)})</span></span>`;
}
