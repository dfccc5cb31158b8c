import { type AccessPreview, previewAccess } from '../lib/lists/previewAccess';
import { EVERY_SCOPE } from '../lib/operations/Operation';
import type { CheckedTokenRequest } from '../lib/tokens/checkTokenRequest';
import { tokenWarnings } from '../lib/tokens/tokenWarnings';
import { accountWords, findAccounts } from './accounts';
import { code, type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TextKey } from './texts';
import { accountsText, factList, rateText } from './tokenFacts';

/** How long a page counts rows, in milliseconds. What is not counted by then is named without a number. */
export const COUNT_MS = 1000;

const NEW = { state: 'active', lastUsedAt: null, rotatedAt: null } as const;

/** What a token that is to be created will read, of whom, from where, how often and until when. */
export async function tokenSummary(request: SectionRequest, token: CheckedTokenRequest, now: number) {
  const found = tokenWarnings({ ...token, ...NEW, createdAt: now, readAt: now });
  const warnings = (['wildcard', 'everlasting'] as const)
    .filter((warning) => found.includes(warning))
    .map((warning) => html`<p class="notice warn">${request.text(`summary.${warning}`)}</p>`);
  const previews = await previewAccess(request.installation, token, COUNT_MS);
  const of = (...states: AccessPreview['state'][]) => previews.filter(({ state }) => states.includes(state));
  const without = (state: 'forbidden' | 'missing') => {
    const lists = listed(of(state).map(titleOf.bind(null, request)));
    return of(state).length > 0 && html`<small>${request.words(`summary.${state}`, { lists })}</small>`;
  };
  const addresses = token.allowedAddresses.map((address) => html`${code(address)} `);
  return html`${warnings}
${factList([
  [request.text('token.name'), token.name],
  [
    request.text('summary.reads'),
    html`${token.scopes.includes(EVERY_SCOPE) && html`<b>${request.text('form.everything')}</b>: `}${listed(of('counted', 'object', 'failed').map(counted.bind(null, request)))} ${without('forbidden')} ${without('missing')}`,
  ],
  [request.text('summary.of'), await accountNames(request, token)],
  [request.text('summary.from'), addresses.length > 0 ? addresses : request.text('summary.from.anywhere')],
  [request.text('summary.rate'), await rateText(request, token.rateLimit)],
  [request.text('token.expires'), request.relativeAndExact(token.expiresAt)],
])}`;
}

function titleOf(request: SectionRequest, { operation: { name } }: AccessPreview): string {
  return request.text(`endpoint.${name}` as TextKey & `endpoint.${string}`);
}

function counted(request: SectionRequest, preview: AccessPreview): Html {
  const { items } = preview;
  return html`${titleOf(request, preview)}${items !== null && html` <b>${request.number(items)}</b>`}`;
}

/** The accounts of the token; one with its name, if there is a list to find it in. */
async function accountNames(request: SectionRequest, token: CheckedTokenRequest): Promise<Part> {
  const { accounts, owner } = token;
  const [bound] = accounts;
  if (bound === undefined) return request.text('summary.of.all');
  const found =
    accounts.length === 1 && !owner && (await findAccounts(request.installation, bound.id, 'username'));
  const account = found ? found.find(({ id }) => id === bound.id) : undefined;
  return account ? accountWords(account) : accountsText(request, token);
}
