import { EVERY_SCOPE } from '../lib/fields/Operation';
import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type TokenWarning, tokenWarnings } from '../lib/tokens/tokenWarnings';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import { accountLinks, scopeLink, shownState } from './tokenFacts';

/** How many tokens a page shows, and how many can be revoked together. */
export const MAX_ROWS = 100;

/**
 * Tokens, of which an administrator can select active ones, to revoke them together. A narrow section shows the labels of
 * some cells. A warning is a mark in the column that it is about. `requests` are those of the last 30 days.
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
    ...(!request.isCustomer && { account: request.text('token.account') }),
    used: request.text('token.used'),
    expires: request.text('token.expires'),
    requests: request.text('tokens.column.requests'),
  };
  const cell = (column: string, content: Part, label = '') =>
    html`<td class="${column}" data-label="${label}">${content}</td>`;
  const select = (label: string, content: Part) =>
    !request.isCustomer && html`<td class="select" data-label="${label}">${content}</td>`;
  const row = (token: TokenRecord) => {
    const { id, name, prefix, state, origin } = token;
    const created =
      origin === 'account-section' && html` <small>${request.text('tokens.of_customer')}</small>`;
    const box = html`<input type="checkbox" name="id" value="${id}" aria-label="${request.text('tokens.select', { name, id: String(id) })}">`;
    const ends = state === 'expired' ? request.text('tokens.label.expired') : headings.expires;
    const used = marked(request, token, 'unused', request.relative(token.lastUsedAt));
    const count = requests.get(id);
    const unshown = !request.view.seesUse(token) && none(request.text('tokens.nothing'));
    const isActive = state === 'active';
    return html`<tr class="${state}" data-id="${id}">${select('', isActive && box)}<th scope="row" class="token"><div><a href="${request.to(`tokens/${id}`)}" title="${name}">${name}</a> ${code(`${prefix}…`)} <small>#${id}</small></div></th>
${cell('state', shownState(request, token))}
${cell('scopes', scopes(request, token))}
${headings.account && cell('account', html`${accountLinks(request, token)}${created}`, headings.account)}
${cell('used', unshown || used, request.text('tokens.label.used'))}
${cell('expires', expiry(request, token), ends)}
${cell('requests', unshown || (count ? request.number(count) : none('0')), headings.requests)}
<td class="menu">${isActive && menu(request, token)}</td></tr>`;
  };
  const all = request.text('tokens.select_all');
  const columns = Object.entries(headings);
  const table = html`<table id="tokens"><thead><tr>${select(all, html`<input type="checkbox" hidden data-select-all aria-label="${all}">`)}${columns.map(([column, name]) => html`<th scope="col" class="${column}">${name}</th>`)}<td class="menu"></td></tr></thead><tbody>
${tokens.map(row)}</tbody></table>`;
  if (request.isCustomer) return html`<div class="token-list">${table}</div>`;
  return html`<form method="get" action="${request.to('tokens/revoke')}" class="token-list">${table}
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
    html`${scopeLink(request, scope, html`<code class="chip">${scope}</code>`)} `;
  if (others.length === 0) return chip(first);
  const more = html`${request.text('tokens.more_scopes', { count: others.length })}<span class="unseen"> ${request.text('tokens.all_scopes')}</span>`;
  return html`${chip(first)}<details class="opens" name="opens"><summary>${more}</summary><p>${others.map(chip)}</p></details>`;
}

/** What can be done with an active token, by the links of its page. */
function menu(request: SectionRequest, token: TokenRecord): Html | null {
  const { id, name, expiresAt, rotatedAt } = token;
  const link = (action: 'extend' | 'rotate' | 'revoke') =>
    request.view.may(action, token) &&
    request.link(`tokens/${id}/${action}`, request.text(`token.${action}`));
  if (!request.view.may('revoke', token)) return null;
  return html`<details class="opens" name="opens"><summary aria-label="${request.text('tokens.actions', { name, id: String(id) })}">⋯</summary><p>${expiresAt !== null && link('extend')}${rotatedAt === null && link('rotate')}${link('revoke')}</p></details>`;
}

/** An expiry that is nearer than this is urgent, so that it is seen among those of the next two weeks. */
const URGENT_SECONDS = 3 * DAY_SECONDS;

function expiry(request: SectionRequest, token: TokenRecord): Html {
  const { expiresAt, readAt, state } = token;
  if (state === 'revoked') return none(request.text('tokens.nothing'));
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
