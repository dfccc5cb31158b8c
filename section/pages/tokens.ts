import { type TokenRecord, type TokenWarning, tokenWarnings } from '../../lib/tokens/TokenRecord';
import { type Html, html, shownTime } from '../html';
import type { PageHandler, SectionRequest } from '../SectionRequest';

const MOST_ROWS = 50;

const MARKS: Readonly<Record<TokenWarning, string>> = {
  everlasting: 'never expires',
  wildcard: 'reads everything',
  unused: 'unused for 90 days',
};

/** All tokens, page by page, those that are good first. */
export const tokensPage: PageHandler = async (request) => {
  const search = (request.query.get('search') ?? '').trim();
  const cursor = request.query.get('cursor');
  const { tokens: store, usage } = request.installation;
  const { tokens, next } = await store.page({
    limit: MOST_ROWS,
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
  return html`<p>${search === '' ? 'There is no token yet.' : `No token is named like “${search}”.`}</p>`;
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
  return html`<div class="wide"><table id="tokens"><thead><tr>
<th scope="col">Name</th><th scope="col">State</th><th scope="col">May read</th><th scope="col">Account</th><th scope="col">Made</th>
<th scope="col">Last used</th><th scope="col">Expires</th><th scope="col" class="number">Requests today</th>
</tr></thead><tbody>
${tokens.map((token) => row(request, token, today.get(token.id) ?? 0))}</tbody></table></div>`;
}

function row(request: SectionRequest, token: TokenRecord, today: number): Html {
  return html`<tr class="${token.state}">
<th scope="row" data-label="Name"><a href="${request.to(`tokens/${token.id}`)}">${token.name}</a> <code>${token.prefix}…</code></th>
<td data-label="State"><span class="state ${token.state}">${stateOf(token)}</span>${tokenWarnings(token).map((doubt) => html` <span class="mark">${MARKS[doubt]}</span>`)}</td>
<td data-label="May read">${scopesOf(token)}</td>
<td data-label="Account">${token.accountId ?? html`<span class="none">all</span>`}</td>
<td data-label="Made">${shownTime(token.createdAt)} by ${token.createdBy}</td>
<td data-label="Last used">${shownTime(token.lastUsedAt)}</td>
<td data-label="Expires">${shownTime(token.expiresAt)}</td>
<td data-label="Requests today" class="number">${today.toLocaleString('en')}</td>
</tr>
`;
}

function scopesOf({ scopes }: TokenRecord): Html {
  const [first = '', ...others] = scopes;
  return html`<code>${first}</code>${others.length === 0 ? null : html` <span title="${others.join(' ')}">and ${others.length} more</span>`}`;
}

/** The state in a word; one that was rotated and is still good is named so. */
export function stateOf({ state, rotatedAt }: TokenRecord): string {
  if (rotatedAt === null || state === 'revoked') return state;
  return state === 'active' ? 'replaced, still good' : 'replaced';
}
