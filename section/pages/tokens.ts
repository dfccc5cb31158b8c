import type { TokenRecord } from '../../lib/tokens/TokenRecord';
import { type TokenWarning, tokenWarnings } from '../../lib/tokens/tokenWarnings';
import { type Html, html, shownTime } from '../html';
import type { PageHandler } from '../Page';
import type { SectionRequest } from '../SectionRequest';
import { table } from '../table';
import { shownState } from '../tokenState';

const MAX_ROWS = 50;

/** All tokens in pages, active ones first. */
export const tokensPage: PageHandler = async (request) => {
  const search = (request.query.get('search') ?? '').trim();
  const cursor = request.query.get('cursor');
  const { tokens: store, usage } = request.installation;
  const { tokens, next } = await store.page({
    limit: MAX_ROWS,
    ...(search === '' ? {} : { search }),
    ...(cursor === null ? {} : { cursor }),
  });
  const today = await usage.today(tokens.map(({ id }) => id));
  return {
    title: 'Tokens',
    hasNotices: true,
    content: html`<div class="toolbar"><p><a class="button primary" href="${request.to('tokens/new')}">New token</a></p>
<form method="get" action="${request.to('tokens')}" role="search"><label for="search">Name, first characters or #id</label>
<input id="search" name="search" type="search" value="${search}" maxlength="128" data-filter="tokens"> <button>Search</button></form></div>
${tokens.length === 0 ? nothing(search) : tokenTable(request, tokens, today)}
${next === null ? null : nextPage(request, search, next)}`,
  };
};

function nothing(search: string): Html {
  return html`<p>${search === '' ? 'There are no tokens yet.' : `No token matches “${search}”.`}</p>`;
}

function nextPage(request: SectionRequest, search: string, cursor: string): Html {
  const query = new URLSearchParams({ ...(search === '' ? {} : { search }), cursor });
  return html`<p class="pages"><a rel="next" href="${request.to(`tokens?${query}`)}">More tokens</a></p>`;
}

function tokenTable(
  request: SectionRequest,
  tokens: readonly TokenRecord[],
  today: ReadonlyMap<number, number>,
): Html {
  return table<TokenRecord>(
    tokens,
    [
      [
        'Name',
        ({ id, name, prefix }) =>
          html`<a href="${request.to(`tokens/${id}`)}">${name}</a> <code>${prefix}…</code>`,
        'heading',
      ],
      ['State', (token) => html`${shownState(request, token)}${marks(token)}`],
      ['May read', scopesOf],
      ['Account', ({ accountId }) => accountId ?? html`<span class="none">all</span>`],
      ['Created', ({ createdAt, createdBy }) => html`${shownTime(createdAt)} by ${createdBy}`],
      ['Last used', ({ lastUsedAt }) => shownTime(lastUsedAt)],
      ['Expires', ({ expiresAt }) => shownTime(expiresAt)],
      ['Requests today', ({ id }) => (today.get(id) ?? 0).toLocaleString('en'), 'number'],
    ],
    { table: html` id="tokens"`, row: ({ state }) => html` class="${state}"` },
  );
}

const MARKS: Readonly<Record<TokenWarning, string>> = {
  expiring: 'expires soon',
  everlasting: 'never expires',
  wildcard: 'every scope',
  unused: 'unused for 90 days',
};

export function marks(token: TokenRecord): readonly Html[] {
  return tokenWarnings(token).map((warning) => html` <span class="mark">${MARKS[warning]}</span>`);
}

function scopesOf({ scopes }: TokenRecord): Html {
  const [first = '', ...others] = scopes;
  return html`<code>${first}</code>${others.length === 0 ? null : html` <span title="${others.join(' ')}">and ${others.length} more</span>`}`;
}
