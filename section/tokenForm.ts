import type { TokenChanges, TokenRequest } from '../lib/tokens/checkTokenRequest';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { chosenExpiry, type ExpiryForm, readExpiry } from './expiryField';
import type { SectionRequest } from './SectionRequest';

/** The form of a token as it was filled in. */
export interface TokenForm extends ExpiryForm {
  readonly name: string;
  readonly note: string;
  readonly scopes: readonly string[];
  /** What was typed to name the account. */
  readonly account: string;
  /** The id of the account that is meant; empty if that is not known yet. */
  readonly accountId: string;
  readonly addresses: string;
  readonly rateLimit: string;
  /** The id of the token whose values the form was filled in with; empty if there is none. */
  readonly duplicateOf: string;
}

/** The form of a new token, with the expiry of the settings unless the fields contain one. */
export async function newTokenForm(
  { installation }: SectionRequest,
  fields: URLSearchParams,
): Promise<TokenForm> {
  const defaultExpiry = String((await installation.settings.get('defaultExpiryDays')) ?? 'never');
  const form = readTokenForm(fields, defaultExpiry);
  // A new token has no expiry to keep.
  return form.expiry === 'keep' ? { ...form, expiry: defaultExpiry } : form;
}

/** Reads the form's fields. A missing field is empty. */
export function readTokenForm(fields: URLSearchParams, defaultExpiry: string): TokenForm {
  // Browsers send lines that end with CR and LF.
  const text = (name: string) => (fields.get(name) ?? '').replace(/\r\n?/g, '\n').trim();
  return {
    name: text('name'),
    note: text('note'),
    scopes: fields.getAll('scope'),
    account: text('account'),
    accountId: text('account_id'),
    addresses: text('addresses'),
    rateLimit: text('rate_limit'),
    duplicateOf: text('duplicate_of'),
    ...readExpiry(fields, defaultExpiry),
  };
}

/** The form of a token that exists. Its expiry is kept. */
export function formOfToken(token: TokenRecord): TokenForm {
  return {
    name: token.name,
    note: token.note ?? '',
    scopes: token.scopes,
    account: token.accountId ?? '',
    accountId: '',
    addresses: token.allowedAddresses.join('\n'),
    rateLimit: String(token.rateLimit ?? ''),
    duplicateOf: '',
    expiry: 'keep',
    expiryDate: '',
  };
}

/** The opposite of readTokenForm: the fields of a form that submits this one again. */
export function fieldsOf(form: TokenForm): URLSearchParams {
  return new URLSearchParams([
    ['name', form.name],
    ['note', form.note],
    ...form.scopes.map((scope): [string, string] => ['scope', scope]),
    ['account', form.account],
    ['account_id', form.accountId],
    ['addresses', form.addresses],
    ['rate_limit', form.rateLimit],
    ['expiry', form.expiry],
    ['expiry_date', form.expiryDate],
    ['duplicate_of', form.duplicateOf],
  ]);
}

/** The properties of the token except its expiry, null for an empty field. They are not checked here. */
export function propertiesOf(form: TokenForm) {
  return {
    name: form.name,
    note: form.note || null,
    scopes: form.scopes,
    accountId: form.accountId || form.account || null,
    allowedAddresses: form.addresses.split(/[\s,]+/).filter(Boolean),
    rateLimit: form.rateLimit === '' ? null : wholeNumber(form.rateLimit),
  } satisfies TokenChanges;
}

/** All properties, for a token that exists; without an expiry if it is kept. Throws as `chosenExpiry` does. */
export function tokenChanges(form: TokenForm): TokenChanges {
  return { ...propertiesOf(form), ...chosenExpiry(form) };
}

/** The request for a new token. Throws as `chosenExpiry` does. */
export function tokenRequest(form: TokenForm): TokenRequest {
  const given = Object.entries(tokenChanges(form)).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as unknown as TokenRequest;
}

function wholeNumber(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
