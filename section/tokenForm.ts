import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRequest } from '../lib/tokens/checkTokenRequest';

/** The expiries that the form offers, in days; none for a token that never expires. */
export const EXPIRY_DAYS: readonly (number | null)[] = [7, 30, 90, 365, null];

/** What the form of a new token holds, as it was typed. */
export interface TokenForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly account: string;
  readonly addresses: string;
  readonly rateLimit: string;
  /** One of EXPIRY_DAYS as text, `never` for none. */
  readonly expiry: string;
}

/** Reads the form's fields; what they lack is empty. */
export function readTokenForm(fields: URLSearchParams, defaultExpiry: string): TokenForm {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  return {
    name: text('name'),
    scopes: fields.getAll('scope'),
    account: text('account'),
    addresses: text('addresses'),
    rateLimit: text('rate_limit'),
    expiry: text('expiry') || defaultExpiry,
  };
}

/** The form's fields again, for a form that sends them on. */
export function fieldsOf(form: TokenForm): readonly (readonly [name: string, value: string])[] {
  return [
    ['name', form.name],
    ...form.scopes.map((scope) => ['scope', scope] as const),
    ['account', form.account],
    ['addresses', form.addresses],
    ['rate_limit', form.rateLimit],
    ['expiry', form.expiry],
  ];
}

/** What the form asks for. What it says wrongly is left to be refused by whoever makes the token. */
export function tokenRequest(form: TokenForm): TokenRequest {
  const addresses = form.addresses.split(/[\s,]+/).filter(Boolean);
  return {
    name: form.name,
    scopes: form.scopes,
    ...(form.account === '' ? {} : { accountId: form.account }),
    ...(addresses.length === 0 ? {} : { allowedAddresses: addresses }),
    ...(form.rateLimit === '' ? {} : { rateLimit: wholeNumber(form.rateLimit) }),
    ...(form.expiry === 'never' ? {} : { expiresInSeconds: wholeNumber(form.expiry) * DAY_SECONDS }),
  };
}

function wholeNumber(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
