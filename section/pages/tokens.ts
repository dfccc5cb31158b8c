import type { TokenFilter } from '../../lib/tokens/tokenFilters';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { MAX_ROWS, tokenTable } from '../tokenTable';
import { revokedNotice } from './revokeSeveral';

/** What the URL asks for. Each is empty if it asks for nothing. */
interface Wanted {
  readonly search: string;
  readonly filter: string;
  readonly cursor: string;
}

/** The tokens in pages, newest first. */
export const tokensPage: PageHandler = async (request) => {
  const given = (name: keyof Wanted) => (request.query.get(name) ?? '').trim();
  const wanted: Wanted = { search: given('search'), filter: given('filter'), cursor: given('cursor') };
  const { tokens: store, usage } = request.installation;
  // The store refuses a filter or a cursor that does not exist.
  const query = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== ''));
  const [{ tokens, next }, counts] = await Promise.all([
    store.page({ ...query, limit: MAX_ROWS }),
    store.countFilters(),
  ]);
  const today = await usage.today(tokens.map(({ id }) => id));
  const isWhole = next === null && Object.keys(query).length === 0;
  return {
    title: request.text('tokens.title'),
    hasNotices: true,
    actions: html`<a class="button primary" href="${request.to('tokens/new')}">${request.text('tokens.new')}</a>`,
    content:
      counts.active + counts.ended === 0
        ? noTokens(request)
        : html`${await revokedNotice(request)}
<div class="toolbar">${chips(request, wanted, counts)}
${searchForm(request, wanted, isWhole)}</div>
<p class="lead" role="status" id="tokens-note"></p>
${wanted.search === '' ? null : found(request, wanted, tokens.length)}
${tokens.length === 0 ? nothing(request, wanted) : tokenTable(request, tokens, today)}
${turns(request, wanted, next)}`,
  };
};

function noTokens(request: SectionRequest): Html {
  return html`<p class="lead">${request.text('tokens.none')}</p>
<p><a class="button" href="${request.to('tokens/new')}">${request.text('tokens.none.create')}</a></p>`;
}

const FILTERS = ['all', 'active', 'expiring', 'unused', 'ended'] as const;

function chips(
  request: SectionRequest,
  { search, filter }: Wanted,
  counts: Record<TokenFilter, number>,
): Html {
  const all = { ...counts, all: counts.active + counts.ended };
  const chip = (name: (typeof FILTERS)[number]) => {
    const isCurrent = name === (filter || 'all') && search === '';
    const path = name === 'all' ? 'tokens' : `tokens?filter=${name}`;
    const urges = name === 'expiring' && all[name] > 0 ? html` class="urges"` : null;
    return html`<li${urges}><a href="${request.to(path)}"${isCurrent ? html` aria-current="page"` : null}>${request.text(`tokens.filter.${name}`)} <span class="count">${request.number(all[name])}</span></a></li>
`;
  };
  return html`<nav aria-label="${request.text('tokens.filters')}"><ul class="chips">${FILTERS.map(chip)}</ul></nav>`;
}

/** The search among all tokens. The script also filters the rows of this page while the user types. */
function searchForm(request: SectionRequest, { search }: Wanted, isWhole: boolean): Html {
  const label = request.text('tokens.search.label');
  const none = request.text(isWhole ? 'tokens.search.no_match' : 'tokens.search.elsewhere');
  return html`<form method="get" action="${request.to('tokens')}" role="search" class="find"><input name="search" type="search" value="${search}" size="28" maxlength="128" placeholder="${label}" aria-label="${label}" data-filter="tokens" data-none="${none}"> <button>${request.text('tokens.search')}</button></form>`;
}

/** What was searched for, and what to do if it was not found. */
function found(request: SectionRequest, { search }: Wanted, count: number): Html {
  const key = count === 0 ? 'tokens.none.search' : 'tokens.results';
  return html`<p>${request.words(key, { search })} ${allLink(request)}</p>`;
}

function nothing(request: SectionRequest, { search, filter }: Wanted): Html | null {
  if (search !== '') return null;
  return html`<p>${request.text(`tokens.none.${(filter || 'page') as TokenFilter | 'page'}`)} ${allLink(request)}</p>`;
}

function allLink(request: SectionRequest): Html {
  return html`<a href="${request.to('tokens')}">${request.text('tokens.show_all')}</a>`;
}

/** The links to the first and to the next page. */
function turns(
  request: SectionRequest,
  { search, filter, cursor }: Wanted,
  next: string | null,
): Html | null {
  if (cursor === '' && next === null) return null;
  const link = (kind: 'older' | 'newest', from: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({
      ...(search === '' ? {} : { search }),
      ...(filter === '' ? {} : { filter }),
      ...from,
    }).toString();
    const rel = kind === 'older' ? html` rel="next"` : null;
    return html`<a${rel} href="${request.to(query === '' ? 'tokens' : `tokens?${query}`)}">${request.text(`tokens.${kind}`)}</a> `;
  };
  return html`<p class="pages">${cursor === '' ? null : link('newest', {})}${next === null ? null : link('older', { cursor: next })}</p>`;
}
