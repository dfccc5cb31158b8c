import { EVERY_SCOPE } from '../lib/fields/Operation';
import type { BoundAccount, TokenRecord } from '../lib/tokens/TokenRecord';
import { operations } from '../routes';
import { code, type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TokenActionName } from './TokenView';
import type { TextKey } from './texts';

/** The state of a token in words. A rotated token that is still valid has words of its own. */
export function shownState(request: SectionRequest, { state, rotatedAt }: TokenRecord): Html {
  const rotated = state === 'active' ? 'rotated_active' : 'rotated';
  const word = rotatedAt === null || state === 'revoked' ? state : rotated;
  return html`<span class="state ${state}">${request.text(`state.${word}`)}</span>`;
}

/** What the person can do with the token now. An ended one can only be duplicated. */
export function offeredActions({ view }: SectionRequest, token: TokenRecord): readonly TokenActionName[] {
  const { state, rotatedAt, expiresAt } = token;
  const isActive = state === 'active';
  const isFor: Readonly<Record<TokenActionName, boolean>> = {
    extend: isActive && expiresAt !== null,
    edit: isActive,
    rotate: isActive && rotatedAt === null,
    duplicate: true,
    revoke: isActive,
  };
  return (Object.keys(isFor) as TokenActionName[]).filter((one) => isFor[one] && view.may(one, token));
}

/** Terms, by their texts, beside their values; a term whose value is null is left out. */
export function factList(request: SectionRequest, facts: Readonly<Partial<Record<TextKey, Part>>>): Html {
  const shown = Object.entries(facts).filter(([, value]) => value !== null);
  return html`<dl class="facts">
${shown.map(([term, value]) => html`<dt>${request.text(term as TextKey)}</dt><dd>${value}</dd>`)}</dl>`;
}

/** What tells most about a token that may read it: data of people, and settings. */
export const SENSITIVE_SCOPES: ReadonlySet<string> = new Set([
  'accounts.read',
  'email.read',
  'settings.read',
]);

/** What every integration may read: the properties of its own token. */
export const PROFILE_SCOPE = 'profile.read';

/** What a scope allows to read, in words: the name of its endpoint, or one of its own if several need it. */
export function scopeTitle(request: SectionRequest, scope: string): string {
  const [first, second] = operations.filter((operation) => operation.scope === scope);
  const key = second ? `scope.${scope}.name` : `endpoint.${first?.name}`;
  return String(request.known(scope === EVERY_SCOPE ? 'form.everything' : key, scope));
}

/** The same with the scope itself behind it, for a list to choose from. */
export function scopeWords(request: SectionRequest, scope: string): string {
  return `${scopeTitle(request, scope)} (${scope})`;
}

/** Scopes as chips; for an administrator, each leads to all tokens that have it. */
export function scopeChips(request: SectionRequest, scopes: readonly string[]): Html {
  return html`<span class="chip-list">${scopes.map((scope) => scopeLink(request, scope))}</span>`;
}

/** A rate limit in words; null is that of the settings. */
export async function rateText(request: SectionRequest, rateLimit: number | null): Promise<string> {
  const { settings } = request.api;
  const count = rateLimit ?? (await settings.get('rateLimitRequests'));
  const seconds = await settings.get('rateLimitWindowSeconds');
  const format = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return request.text('token.rate', { count, window: request.number(seconds, format) });
}

/** A scope as a chip; for an administrator, as a link to all tokens that have it. */
export function scopeLink(request: SectionRequest, scope: string): Html {
  const isWhole = scope === EVERY_SCOPE;
  const word = isWhole
    ? html`<span class="chip">${request.text('warning.wildcard')}</span>`
    : html`<code class="chip">${scope}</code>`;
  return html`${request.isCustomer ? word : html`<a href="${request.to('tokens', { scope })}">${word}</a>`} `;
}

/** The accounts of a token by their names and ids, each as a link to all tokens of the account. */
export function accountLinks(
  request: SectionRequest,
  { accounts, owner }: Pick<TokenRecord, 'accounts' | 'owner'>,
): Html {
  if (accounts.length === 0) return html`<span class="none">${request.text('token.account.all')}</span>`;
  const link = ({ id, username }: BoundAccount) =>
    html`<a href="${request.to('tokens', { account: id })}">${username ? html`${username} <small>#${id}</small>` : id}</a>`;
  const account = listed(accounts.map(link));
  return owner ? request.words('token.account.owner', { account }) : account;
}

/** When a token was last used and, if it is stored, from which address. */
export function lastUse(
  request: SectionRequest,
  { lastUsedAt, lastUsedAddress }: TokenRecord,
  time = request.relativeAndExact(lastUsedAt),
): Html {
  if (lastUsedAddress === null) return time;
  return request.words('token.used.from', { time, address: code(lastUsedAddress) });
}
