import { EVERY_SCOPE } from '../lib/operations/Operation';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { tokenWarnings } from '../lib/tokens/tokenWarnings';
import { code, type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/** The state of a token in words. A rotated token that is still valid has words of its own. */
export function shownState(request: SectionRequest, { state, rotatedAt }: TokenRecord): Html {
  const rotated = state === 'active' ? 'rotated_active' : 'rotated';
  const word = rotatedAt === null || state === 'revoked' ? state : rotated;
  return html`<span class="state ${state}">${request.text(`state.${word}`)}</span>`;
}

export function marks(request: SectionRequest, token: TokenRecord): readonly Html[] {
  return tokenWarnings(token).map(
    (warning) =>
      html` <span class="mark${warning === 'expiring' && ' warn'}">${request.text(`warning.${warning}`)}</span>`,
  );
}

/** Terms beside their values; a term whose value is null is left out. */
export function factList(facts: readonly Fact[]): Html {
  return html`<dl class="facts">
${facts.map(
  ([term, value]) =>
    value !== null &&
    html`<dt>${term}</dt><dd>${value}</dd>
`,
)}</dl>`;
}

type Fact = readonly [term: string, value: Part];

/** What a token is for, what it may read, from which addresses and how often. */
export async function permissions(request: SectionRequest, token: TokenRecord): Promise<readonly Fact[]> {
  const { note, scopes, allowedAddresses, rateLimit } = token;
  const codes = (words: readonly string[]) => words.map((word) => html`${code(word)} `);
  const addresses =
    allowedAddresses.length > 0 ? codes(allowedAddresses) : request.text('token.addresses.any');
  return [
    [request.text('token.note'), note === null ? null : html`<span class="lines">${note}</span>`],
    [request.text('token.scopes'), codes(scopes)],
    [request.text('token.account'), accountsText(request, token) ?? request.text('token.account.all')],
    [request.text('token.addresses'), addresses],
    [request.text('token.rate_limit'), await rateText(request, rateLimit)],
  ];
}

/** A rate limit in words; null is that of the settings. */
export async function rateText(request: SectionRequest, rateLimit: number | null): Promise<string> {
  const { settings } = request.installation;
  const count = rateLimit ?? (await settings.get('rateLimitRequests'));
  const seconds = await settings.get('rateLimitWindowSeconds');
  const format = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return request.text('token.rate', { count, window: request.number(seconds, format) });
}

/** A scope under the name that people know it by. */
export function scopeName(request: SectionRequest, scope: string): Part {
  return request.known(scope === EVERY_SCOPE ? 'form.everything' : `scope.${scope}.name`, scope);
}

/** The accounts of a token in words, by their ids; null for all. */
export function accountsText(
  request: SectionRequest,
  { accounts, owner }: Pick<TokenRecord, 'accounts' | 'owner'>,
): string | null {
  if (accounts.length === 0) return null;
  const account = accounts.map(({ id }) => id).join(', ');
  return owner ? request.text('token.account.owner', { account }) : account;
}

export function lastUse(request: SectionRequest, { lastUsedAt, lastUsedAddress }: TokenRecord): Html {
  if (lastUsedAt === null) return request.words('token.use.never');
  const time = request.relative(lastUsedAt);
  if (lastUsedAddress === null) return request.words('token.use', { time });
  return request.words('token.use.from', { time, address: code(lastUsedAddress) });
}

/** The link to the newest other token of the lineage that is valid; null if there is none. */
export function validSibling(request: SectionRequest, token: TokenRecord, lineage: readonly TokenRecord[]) {
  const sibling = lineage.find(({ id, state }) => id !== token.id && state === 'active');
  return sibling ? request.link(`tokens/${sibling.id}`, `#${sibling.id}`) : null;
}
