import type { TokenFilter } from '../../lib/tokens/tokenFilters';
import { TOKEN_WITHIN } from '../../lib/tokens/tokenFormat';
import { type TokenOrder, tokenOrders } from '../../lib/tokens/tokenPages';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { pageLinks, setFilterLinks } from '../table';
import { MAX_ROWS, tokenTable } from '../tokenTable';
import { revokedNotice } from './revokeTokens';

const PARAMETERS = ['search', 'scope', 'account', 'filter', 'order'] as const;

type Given = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

/** The tokens that the URL asks for, the active ones first. */
export const tokensPage: PageHandler = async (request) => {
  const given: Given = Object.fromEntries(
    PARAMETERS.map((name) => [name, (request.query.get(name) ?? '').trim()]).filter(
      ([, text]) => text !== '',
    ),
  );
  const { filter, order = 'newest', account, ...rest } = given;
  const cursor = request.query.get('cursor') ?? '';
  const { tokens: store, usage } = request.installation;
  const narrowing = { ...rest, ...(account !== undefined && { accountId: account }) };
  // The store refuses what does not exist.
  const query = { ...narrowing, ...(filter && { filter }), order, ...(cursor && { cursor }) };
  const [{ tokens, next }, counts] = await Promise.all([
    store.page({ ...query, limit: MAX_ROWS } as object),
    store.countFilters(narrowing),
  ]);
  const requests = await usage.sums({ ids: tokens.map(({ id }) => id) });
  const set = (['search', 'scope', 'account'] as const).flatMap((name) => {
    const label = { filter: request.text(`tokens.by.${name}`), value: given[name] ?? '' };
    return given[name] ? [{ name, text: given[name], words: request.text('filter.value', label) }] : [];
  });
  const isWhole = next === null && filter === undefined && cursor === '' && set.length === 0;
  const kept = { ...(filter && { filter }), ...(given.order && { order: given.order }) };
  const isNone = counts.active + counts.ended === 0;
  const nothing = set.length > 0 ? 'search' : ((filter ?? 'page') as TokenFilter | 'page');
  return {
    title: request.text('nav.tokens'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('tokens/find')}">${request.text('find.title')}</a> <a class="button primary" href="${request.to('tokens/new')}">${request.text('new.title')}</a>`,
    content:
      isNone && set.length === 0
        ? html`<p class="lead">${request.text('tokens.none')}</p>
<p><a class="button" href="${request.to('tokens/new')}">${request.text('tokens.none.create')}</a></p>`
        : html`${await revokedNotice(request)}
${filterForm(request, given, isWhole)}
${chips(request, given, counts)}
${setFilterLinks(request, 'tokens', set, kept)}
<p class="lead" role="status" id="tokens-note"></p>
${tokens.length === 0 && html`<p>${request.words(`tokens.none.${nothing}`)} ${request.link('tokens', request.text('tokens.show_all'))}</p>`}
${tokens.length > 0 && tokenTable(request, tokens, requests)}
${pageLinks(request, 'tokens', { query: { ...given }, isLater: cursor !== '', next: next === null ? null : { cursor: next } })}`,
  };
};

const FILTERS = ['all', 'active', 'expiring', 'unused', 'ended'] as const;

/** The states, each with the number of tokens that the other filters leave. */
function chips(
  request: SectionRequest,
  { filter, ...given }: Given,
  counts: Record<TokenFilter, number>,
): Html {
  const all = { ...counts, all: counts.active + counts.ended };
  const chip = (name: (typeof FILTERS)[number]) => {
    const chosen = { ...(name === 'expiring' && { order: 'expiry' }), ...given, filter: name };
    const path = request.to('tokens', name === 'all' ? given : chosen);
    const urges = name === 'expiring' && all[name] > 0;
    return html`<li${urges && html` class="urges"`}><a href="${path}"${name === (filter ?? 'all') && html` aria-current="page"`}>${request.text(`tokens.filter.${name}`)} <span class="count">${request.number(all[name])}</span></a></li>
`;
  };
  return html`<nav aria-label="${request.text('tokens.filters')}"><ul class="chips">${FILTERS.map(chip)}</ul></nav>`;
}

/** What is asked of all tokens. The script also filters the rows of this page while the user types. */
function filterForm(request: SectionRequest, given: Given, isWhole: boolean): Html {
  const none = request.text(isWhole ? 'tokens.search.no_match' : 'tokens.search.elsewhere');
  const field = (name: 'search' | 'scope' | 'account' | 'order', input: Html) =>
    html`<span class="${name}"><label for="${name}">${request.text(`tokens.by.${name}`)}</label> ${input}</span>
`;
  const choice = (name: 'scope' | 'order', words: Iterable<readonly [value: string, words: string]>) => {
    const options = [...words].map(
      ([value, word]) =>
        html`<option value="${value}"${value === (given[name] ?? '') && html` selected`}>${word}</option>`,
    );
    return field(name, html`<select id="${name}" name="${name}">${options}</select>`);
  };
  const scopes = request.installation.scopes.map((scope) => [scope, scope] as const);
  // The first is the default, which the URL leaves out.
  const orders = tokenOrders.map(
    (order: TokenOrder, index) => [index === 0 ? '' : order, request.text(`tokens.order.${order}`)] as const,
  );
  return html`<form method="get" action="${request.to('tokens')}" role="search" class="filters token-filters">
${field('search', html`<input id="search" name="search" type="search" value="${given.search}" size="36" maxlength="128" placeholder="${request.text('tokens.search.label')}" pattern="(?!.*${TOKEN_WITHIN.source}).*" title="${request.text('tokens.search.whole')}" data-filter="tokens" data-none="${none}">`)}
${choice('scope', [['', request.text('tokens.scope.any')], ...scopes])}
${field('account', html`<input id="account" name="account" value="${given.account}" size="8" maxlength="128">`)}
${choice('order', orders)}
${given.filter && html`<input type="hidden" name="filter" value="${given.filter}">`}<button>${request.text('tokens.show')}</button></form>`;
}
