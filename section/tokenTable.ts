import { EVERY_SCOPE } from '../lib/fields/Operation';
import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import type { TokenOrder } from '../lib/tokens/tokenQueries';
import { type TokenWarning, tokenWarnings } from '../lib/tokens/tokenWarnings';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import {
  accountLinks,
  offeredActions,
  PROFILE_SCOPE,
  SENSITIVE_SCOPES,
  scopeLink,
  shownState,
} from './tokenFacts';

/** How many tokens a page shows, and how many can be revoked together. */
export const MAX_ROWS = 100;

/**
 * Tokens, of which an administrator can select active ones, to revoke them together. A narrow section shows the labels of
 * some cells. A warning is a mark in the column that it is about. `requests` are those of the last 30 days; null if
 * they cannot be read.
 */
export function tokenTable(
  request: SectionRequest,
  tokens: readonly TokenRecord[],
  requests: ReadonlyMap<number, number> | null,
): Html {
  const headings = {
    token: request.text('tokens.column.token'),
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
    const { id, name, prefix, state, origin, rotatedAt } = token;
    const created =
      origin === 'account-section' && html` <small>${request.text('tokens.of_customer')}</small>`;
    const box = html`<input type="checkbox" name="id" value="${id}" aria-label="${request.text('tokens.select', { name, id: String(id) })}">`;
    const ends = state === 'expired' ? request.text('tokens.label.expired') : headings.expires;
    const used = marked(request, token, 'unused', request.relative(token.lastUsedAt));
    const count = requests?.get(id) ?? 0;
    const nothing = none(request.text('tokens.nothing'));
    const unshown = !request.view.seesUse(token) && nothing;
    const isActive = state === 'active';
    // Most are active, which goes without saying.
    const shown = (!isActive || rotatedAt !== null) && shownState(request, token);
    return html`<tr class="${state}" data-id="${id}">${select('', isActive && box)}<th scope="row" class="token"><a href="${request.to(`tokens/${id}`)}" title="${name}">${name}</a> <small>${shown} <span class="id">${code(`${prefix}…`)} #${id}</span></small></th>
${cell('scopes', scopes(request, token))}
${headings.account && cell('account', html`${accounts(request, token)}${created}`, headings.account)}
${cell('used', unshown || used, request.text('tokens.label.used'))}
${cell('expires', expiry(request, token), ends)}
${cell('requests', unshown || (requests ? (count ? request.number(count) : none('0')) : nothing), headings.requests)}
<td class="menu">${isActive && menu(request, token)}</td></tr>`;
  };
  const all = request.text('tokens.select_all');
  const heading = ([column, name]: [string, string]) => {
    const [order = '', direction] = (!request.isCustomer && ORDER_OF[column]) || [];
    const query = [...request.query].filter(([parameter]) => parameter !== 'cursor');
    const path = request.to('tokens', { ...Object.fromEntries(query), order });
    const isChosen = order !== '' && request.query.get('order') === order;
    const arrow = isChosen && html` <span aria-hidden="true">${direction === 'ascending' ? '↑' : '↓'}</span>`;
    return html`<th scope="col" class="${column}"${isChosen && html` aria-sort="${direction}"`}>${order === '' ? name : html`<a href="${path}">${name}</a>`}${arrow}</th>`;
  };
  const table = html`<table id="tokens"><thead><tr>${select(all, html`<input type="checkbox" hidden data-select-all aria-label="${all}">`)}${Object.entries(headings).map(heading)}<td class="menu"></td></tr></thead><tbody>
${tokens.map(row)}</tbody></table>`;
  if (request.isCustomer) return html`<div class="token-list">${table}</div>`;
  return html`<form method="get" action="${request.to('tokens/revoke')}" class="token-list">${table}
${tokens.some(({ state }) => state === 'active') && html`<p class="selection" data-selection><span role="status" data-selected="${request.text('tokens.selected', { count: '{count}' })}"></span> <button class="danger">${request.text('tokens.revoke')}</button></p>`}</form>`;
}

/** The order of the list that the heading of a column leads to. */
const ORDER_OF: Readonly<Record<string, readonly [TokenOrder, 'ascending' | 'descending']>> = {
  token: ['name', 'ascending'],
  used: ['used', 'descending'],
  expires: ['expiry', 'ascending'],
  requests: ['requests', 'descending'],
};

/** How many scopes a row shows before the others are opened. */
const SHOWN_SCOPES = 3;

function none(text: string): Html {
  return html`<span class="none">${text}</span>`;
}

function scopes(request: SectionRequest, token: TokenRecord): Html {
  if (token.scopes.includes(EVERY_SCOPE))
    return html`<span${token.state === 'active' && html` class="mark"`}>${request.text('warning.wildcard')}</span>`;
  // The one that the list is filtered by shows why the token is in it.
  const wanted = request.query.get('scope');
  const rank = (scope: string) =>
    [scope === wanted, SENSITIVE_SCOPES.has(scope), scope !== PROFILE_SCOPE, true].indexOf(true);
  const sorted = token.scopes.toSorted((one, other) => rank(one) - rank(other));
  const chip = (scope: string) => scopeLink(request, scope);
  return html`<span class="chip-list">${firstOf(request, `scopes-${token.id}`, sorted, SHOWN_SCOPES, chip)}</span>`;
}

/** The first of several values, and a button that opens the others. */
function firstOf<Value>(
  request: SectionRequest,
  id: `${'scopes' | 'accounts'}-${number}`,
  values: readonly Value[],
  count: number,
  shown: (value: Value) => Html,
): Html {
  const others = values.slice(count);
  const what = id.startsWith('scopes')
    ? request.text('tokens.all_scopes')
    : request.text('tokens.all_accounts');
  const more = html`>${request.text('tokens.more', { count: others.length })}<span class="unseen"> ${what}</span>`;
  const first = values.slice(0, count).map(shown);
  if (others.length === 0) return html`${first}`;
  return html`${first}${opens(id, more, html`<div class="chip-list">${others.map(shown)}</div>`)}`;
}

/** A button with what it opens: Escape and a click elsewhere close it, also without a script. */
function opens(id: string, button: Html, content: Html): Html {
  return html`<button type="button" class="opens" popovertarget="${id}"${button}</button><div id="${id}" popover>${content}</div>`;
}

/** The first account of a token, with the others behind a button. */
function accounts(request: SectionRequest, token: TokenRecord): Html {
  const { id, accounts, owner } = token;
  if (accounts.length < 2) return accountLinks(request, token);
  return firstOf(request, `accounts-${id}`, accounts, 1, (one) =>
    accountLinks(request, { accounts: [one], owner }),
  );
}

/** What can be done with an active token, by the links of its page. */
function menu(request: SectionRequest, token: TokenRecord): Html | null {
  const { id, name } = token;
  const offered = offeredActions(request, token).filter((one) => one !== 'edit' && one !== 'duplicate');
  if (!offered.includes('revoke')) return null;
  const label = request.text('tokens.actions', { name, id: String(id) });
  return opens(
    `menu-${id}`,
    html` aria-label="${label}">⋯`,
    html`${offered.map((one) => html`<a class="${one === 'revoke' && 'danger'}" href="${request.to(`tokens/${id}/${one}`)}">${request.text(`token.${one}`)}</a>`)}`,
  );
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
