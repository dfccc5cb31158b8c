import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { code, type Html, html, listed, type Part } from './html';
import type { SectionRequest } from './SectionRequest';
import type { TextKey } from './texts';

/** The state of a token in words. A rotated token that is still valid has words of its own. */
export function shownState(request: SectionRequest, { state, rotatedAt }: TokenRecord): Html {
  const rotated = state === 'active' ? 'rotated_active' : 'rotated';
  const word = rotatedAt === null || state === 'revoked' ? state : rotated;
  return html`<span class="state ${state}">${request.text(`state.${word}`)}</span>`;
}

/** Terms, by their texts, beside their values; a term whose value is null is left out. */
export function factList(request: SectionRequest, facts: Readonly<Partial<Record<TextKey, Part>>>): Html {
  const shown = Object.entries(facts).filter(([, value]) => value !== null);
  return html`<dl class="facts">
${shown.map(([term, value]) => html`<dt>${request.text(term as TextKey)}</dt><dd>${value}</dd>`)}</dl>`;
}

/** A rate limit in words; null is that of the settings. */
export async function rateText(request: SectionRequest, rateLimit: number | null): Promise<string> {
  const { settings } = request.api;
  const count = rateLimit ?? (await settings.get('rateLimitRequests'));
  const seconds = await settings.get('rateLimitWindowSeconds');
  const format = { style: 'unit', unit: 'second', unitDisplay: 'long' } as const;
  return request.text('token.rate', { count, window: request.number(seconds, format) });
}

/** A scope; for an administrator, as a link to all tokens that have it. */
export function scopeLink(request: SectionRequest, scope: string, word: Html): Html {
  return request.isCustomer ? word : html`<a href="${request.to('tokens', { scope })}">${word}</a>`;
}

/** The accounts of a token by their ids, each as a link to all tokens of the account. */
export function accountLinks(
  request: SectionRequest,
  { accounts, owner }: Pick<TokenRecord, 'accounts' | 'owner'>,
): Html {
  if (accounts.length === 0) return html`<span class="none">${request.text('token.account.all')}</span>`;
  const link = ({ id }: { readonly id: string }) =>
    html`<a href="${request.to('tokens', { account: id })}">${id}</a>`;
  const account = listed(accounts.map(link));
  return owner ? request.words('token.account.owner', { account }) : account;
}

export function lastUse(request: SectionRequest, { lastUsedAt, lastUsedAddress }: TokenRecord): Html {
  const time = request.relativeAndExact(lastUsedAt);
  if (lastUsedAddress === null) return time;
  return request.words('token.used.from', { time, address: code(lastUsedAddress) });
}
