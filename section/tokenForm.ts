import { DAY_SECONDS } from '../lib/time/time';
import type { TokenRequest } from '../lib/tokens/checkTokenRequest';
import type { SectionRequest } from './SectionRequest';

/** The form of a new token as it was filled in. */
export interface TokenForm {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly account: string;
  readonly addresses: string;
  readonly rateLimit: string;
  /** Days as text; `never` if there is no expiry. */
  readonly expiry: string;
}

/** The form as the URL fills it in, with the expiry of the settings unless the URL contains one. */
export async function tokenFormOf({ query, installation }: SectionRequest): Promise<TokenForm> {
  return readTokenForm(query, String((await installation.settings.get('defaultExpiryDays')) ?? 'never'));
}

/** Reads the form's fields. A missing field is empty. */
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

/** The opposite of readTokenForm: the fields of a form that submits this one again. */
export function fieldsOf(form: TokenForm): URLSearchParams {
  return new URLSearchParams([
    ['name', form.name],
    ...form.scopes.map((scope): [string, string] => ['scope', scope]),
    ['account', form.account],
    ['addresses', form.addresses],
    ['rate_limit', form.rateLimit],
    ['expiry', form.expiry],
  ]);
}

/** The request for the token. Invalid values are not checked here, but refused by checkTokenRequest. */
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
