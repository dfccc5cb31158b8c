import type { TokenFilter } from '../../lib/tokens/tokenFilters';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { pageLinks } from '../table';
import { MAX_ROWS, tokenTable } from '../tokenTable';
import { revokedNotice } from './revokeTokens';

export const tokensPage: PageHandler = async (request) => {
  const given = (name: string) => (request.query.get(name) ?? '').trim();
  const [search, filter, cursor] = [given('search'), given('filter'), given('cursor')];
  const { tokens: store, usage } = request.installation;
  const query = { ...(search && { search }), ...(filter && { filter }) };
  // The store refuses a filter or a cursor that does not exist.
  const [{ tokens, next }, counts] = await Promise.all([
    store.page({ ...(query as object), ...(cursor && { cursor }), limit: MAX_ROWS }),
    store.countFilters(),
  ]);
  const today = await usage.today(tokens.map(({ id }) => id));
  const isWhole = next === null && search + filter + cursor === '';
  const all = request.link('tokens', request.text('tokens.show_all'));
  const found = () => request.words(tokens.length > 0 ? 'tokens.results' : 'tokens.none.search', { search });
  const nothing = () => request.text(`tokens.none.${(filter || 'page') as TokenFilter | 'page'}`);
  return {
    title: request.text('nav.tokens'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('tokens/find')}">${request.text('find.title')}</a> <a class="button primary" href="${request.to('tokens/new')}">${request.text('new.title')}</a>`,
    content:
      counts.active + counts.ended === 0
        ? html`<p class="lead">${request.text('tokens.none')}</p>
<p><a class="button" href="${request.to('tokens/new')}">${request.text('tokens.none.create')}</a></p>`
        : html`${await revokedNotice(request)}
<div class="toolbar">${chips(request, search === '' ? filter || 'all' : null, counts)}
${searchForm(request, search, isWhole)}</div>
<p class="lead" role="status" id="tokens-note"></p>
${search !== '' && html`<p>${found()} ${all}</p>`}
${search === '' && tokens.length === 0 && html`<p>${nothing()} ${all}</p>`}
${tokens.length > 0 && tokenTable(request, tokens, today)}
${pageLinks(request, 'tokens', { query, isLater: cursor !== '', next: next === null ? null : { cursor: next } })}`,
  };
};

const FILTERS = ['all', 'active', 'expiring', 'unused', 'ended'] as const;

function chips(request: SectionRequest, current: string | null, counts: Record<TokenFilter, number>): Html {
  const all = { ...counts, all: counts.active + counts.ended };
  const chip = (name: (typeof FILTERS)[number]) => {
    const path = name === 'all' ? 'tokens' : `tokens?filter=${name}`;
    const urges = name === 'expiring' && all[name] > 0;
    return html`<li${urges && html` class="urges"`}><a href="${request.to(path)}"${name === current && html` aria-current="page"`}>${request.text(`tokens.filter.${name}`)} <span class="count">${request.number(all[name])}</span></a></li>
`;
  };
  return html`<nav aria-label="${request.text('tokens.filters')}"><ul class="chips">${FILTERS.map(chip)}</ul></nav>`;
}

/** The search among all tokens. The script also filters the rows of this page while the user types. */
function searchForm(request: SectionRequest, search: string, isWhole: boolean): Html {
  const label = request.text('tokens.search.label');
  const none = request.text(isWhole ? 'tokens.search.no_match' : 'tokens.search.elsewhere');
  return html`<form method="get" action="${request.to('tokens')}" role="search" class="find"><input name="search" type="search" value="${search}" size="28" maxlength="128" placeholder="${label}" aria-label="${label}" data-filter="tokens" data-none="${none}"> <button>${request.text('tokens.search')}</button></form>`;
}
