import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type Html, html, type Part } from './html';
import type { SectionRequest } from './SectionRequest';

/**
 * What a token may read, from which addresses and how often, as terms of a list. `account` is its account in words;
 * default: the id.
 */
export function permissions(
  request: SectionRequest,
  token: Pick<TokenRecord, 'scopes' | 'accountId' | 'allowedAddresses' | 'rateLimit'>,
  account?: Part,
): Html {
  const { scopes, accountId, allowedAddresses, rateLimit } = token;
  const addresses = allowedAddresses.map((address) => html`<code>${address}</code> `);
  return html`<dt>${request.text('token.scopes')}</dt><dd>${scopes.map((scope) => html`<code>${scope}</code> `)}</dd>
<dt>${request.text('token.account')}</dt><dd>${account ?? accountId ?? request.text('token.account.all')}</dd>
<dt>${request.text('token.addresses')}</dt><dd>${addresses.length === 0 ? request.text('token.addresses.any') : addresses}</dd>
<dt>${request.text('token.rate_limit')}</dt><dd>${rateLimit === null ? request.text('token.rate_limit.general') : request.number(rateLimit)}</dd>`;
}

/** A time in words, relative to now and exact; `none` for null. */
export function shownTwice(request: SectionRequest, seconds: number | null, none?: string): Html {
  if (seconds === null) return request.relative(null, none);
  return html`${request.relative(seconds)} <small>${request.exact(seconds)}</small>`;
}

/** The last use of a token as a sentence. */
export function lastUse(
  request: SectionRequest,
  { lastUsedAt, lastUsedAddress }: Pick<TokenRecord, 'lastUsedAt' | 'lastUsedAddress'>,
): Html {
  if (lastUsedAt === null) return request.words('token.use.never');
  const time = request.relative(lastUsedAt);
  if (lastUsedAddress === null) return request.words('token.use', { time });
  return request.words('token.use.from', { time, address: html`<code>${lastUsedAddress}</code>` });
}
