import { ORIGINS } from '../../lib/audit/AuditLog';
import { scopesOf } from '../../lib/fields/Operation';
import {
  type FilterCounts,
  type TokenFilter,
  type TokenNarrowing,
  tokenOrders,
} from '../../lib/tokens/tokenQueries';
import { operations } from '../../routes';
import { problemAt } from '../field';
import { filterForm, pageLinks, setFilterLinks } from '../filters';
import { type Html, html } from '../html';
import type { PageHandler } from '../Page';
import { ifReadable, type SectionRequest } from '../SectionRequest';
import { scopeWords } from '../tokenFacts';
import { MAX_ROWS, tokenTable } from '../tokenTable';

const PARAMETERS = ['search', 'scope', 'account', 'origin', 'filter', 'order'] as const;

/** The parameter with which a search leads to the token itself if it finds no other. */
export const OPEN = 'open';

type Given = Readonly<Partial<Record<(typeof PARAMETERS)[number], string>>>;

export const tokensPage: PageHandler = async (request) => {
  const { tokens: store, usage } = request.api;
  const parameters = PARAMETERS.map((name) => [name, (request.query.get(name) ?? '').trim()]);
  const given: Given = Object.fromEntries(parameters.filter(([, text]) => text !== ''));
  const { search, scope, account, origin, ...kept } = given;
  const cursor = request.query.get('cursor') ?? '';
  const meant = account ? await meantAccount(request, account) : null;
  const narrowing = {
    ...(search && { search }),
    ...(scope && { scope }),
    ...(meant && { accountId: meant.id }),
    ...(origin && { origin }),
  } as TokenNarrowing;
  // The store refuses what does not exist.
  const query = { order: 'newest', ...narrowing, ...kept, ...(cursor && { cursor }), limit: MAX_ROWS };
  const [{ tokens, next }, counts] = await store.pageAndCounts(query as object, narrowing);
  const [first, ...others] = tokens;
  if (first && others.length === 0 && request.query.has(OPEN)) return { goTo: `tokens/${first.id}` };
  const requests = await ifReadable(request, usage.sums({ ids: tokens.map(({ id }) => id) }));
  const from = origin && (request.known(`audit.origin.${origin}`, origin) as string);
  const shown = { search, scope, account: meant?.words, origin: from };
  const set = Object.entries(shown).flatMap(([name, value]) =>
    value ? [{ name, text: given[name as 'scope'] ?? '', value }] : [],
  );
  const isWhole = next === null && cursor === '' && !kept.filter && set.length === 0;
  const nothing = set.length > 0 ? 'search' : ((kept.filter ?? 'page') as TokenFilter | 'page');
  const isNone = set.length === 0 && counts.active + counts.ended === 0;
  return {
    title: request.text('nav.tokens'),
    hasNotices: true,
    actions: html`<a class="button" href="${request.to('tokens/find')}">${request.text('find.title')}</a> <a class="button primary" href="${request.to('tokens/new')}">${request.text('new.title')}</a>`,
    content: isNone
      ? html`<p class="lead">${request.text('tokens.none')}</p>
<p><a class="button" href="${request.to('tokens/new')}">${request.text('tokens.none.create')}</a></p>`
      : html`${filters(request, kept.filter, isWhole, meant?.problem)}
${chips(request, given, counts)}
${setFilterLinks(request, 'tokens', set, kept)}
<p class="lead" role="status" id="tokens-note"></p>
${tokens.length === 0 && html`<p>${request.words(`tokens.none.${nothing}`)} ${request.link('tokens', request.text('tokens.show_all'))}</p>`}
${tokens.length > 0 && tokenTable(request, tokens, requests)}
${pageLinks(request, 'tokens', given, ['cursor', next])}`,
  };
};

/**
 * The account that a text means, with its words: the one with this id if a token is bound to it, otherwise the only one
 * with this login name or id; and why that is not clear. Throws InvalidInput before the text is looked up.
 */
async function meantAccount(request: SectionRequest, id: string) {
  const { tokens } = await request.api.tokens.page({ accountId: id, limit: 1 });
  const found = await request.parts.panelAccounts.find(id, 'username');
  const isBound = tokens.length > 0;
  const [account, ...others] = (found ?? []).filter((one) => !isBound || one.id === id);
  if (!isBound && found === null) return { id, words: id, problem: request.text('tokens.account.unread') };
  if (others.length > 0)
    return { id, words: id, problem: request.text('tokens.account.several', { search: id }) };
  return { id: account?.id ?? id, words: account ? `${account.username} #${account.id}` : id };
}

const FILTERS = ['all', 'active', 'expiring', 'silent', 'unused', 'ended'] as const;

/** The states, each with the number of tokens that the other filters leave. */
function chips(request: SectionRequest, { filter, ...given }: Given, counts: FilterCounts) {
  const all = { ...counts, all: counts.active + counts.ended };
  const { order, ...rest } = given;
  // The chip of those that expire has chosen this order.
  const others = filter === 'expiring' && order === 'expiry' ? rest : given;
  const chip = (name: (typeof FILTERS)[number]) => {
    const chosen = name === 'expiring' ? { order: 'expiry', ...given } : others;
    const path = request.to('tokens', name === 'all' ? others : { ...chosen, filter: name });
    const count = all[name];
    const title = name === 'expiring' && html` title="${request.text('tokens.filter.expiring.meaning')}"`;
    const urges = name === 'expiring' && all[name] > 0;
    return html`<li${urges && html` class="urges"`}><a href="${path}"${title}${name === (filter ?? 'all') && html` aria-current="page"`}>${request.text(`tokens.filter.${name}`)} ${count !== null && html`<span class="count">${request.number(count)}</span>`}</a></li>`;
  };
  return html`<nav aria-label="${request.text('tokens.filters')}"><ul class="chips">${FILTERS.map(chip)}</ul></nav>`;
}

/** What is asked of all tokens. The script also filters the rows of this page while the user types. */
function filters(
  request: SectionRequest,
  state: string | undefined,
  isWhole: boolean,
  problem: string | undefined,
): Html {
  const problems = problem === undefined ? [] : [{ field: 'account', sentence: problem }];
  const at = problemAt(problems, 'account', 'filter-hint');
  const none = request.text(isWhole ? 'tokens.search.no_match' : 'tokens.search.elsewhere');
  const search = html` type="search" size="24" maxlength="128" aria-describedby="filter-hint" ${tokenless(request)} data-filter="tokens" data-none="${none}"`;
  // The first is the default, which the URL leaves out.
  const order = tokenOrders.map(
    (one, index) => [index === 0 ? '' : one, request.text(`tokens.order.${one}`)] as const,
  );
  const kept = state && html`<input type="hidden" name="filter" value="${state}">`;
  const hint = html`<small id="filter-hint">${request.text('tokens.search.hint')}</small>`;
  const any = ['', request.text('tokens.scope.any')] as const;
  const scope = [any, ...scopesOf(operations).map((one) => [one, scopeWords(request, one)] as const)];
  const account = html` size="12" maxlength="128" list="accounts" data-suggest="${request.to('tokens/accounts.json')}"${at.attributes}`;
  const below = html`${kept}${at.sentence}${hint}<datalist id="accounts"></datalist>`;
  const origins = ORIGINS.map((one) => [one, request.text(`audit.origin.${one}`)] as const);
  const origin = [['', request.text('tokens.origin.any')] as const, ...origins];
  return filterForm(request, 'tokens', { search, scope, account, origin, order }, below, problems.length > 0);
}

/** The attributes of a search that is refused if it contains a whole token: it would be in the address of the page. */
export function tokenless(request: SectionRequest): Html {
  return html`pattern="(?!.*${request.parts.tokenPattern}).*" title="${request.text('tokens.search.whole')}"`;
}
