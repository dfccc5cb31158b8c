import { InvalidInput } from '../lib/errors/InvalidInput';
import { checkTokenChanges, type TokenChanges, type TokenRequest } from '../lib/tokens/checkTokenRequest';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { type Findings, meantAccounts, searchAccounts } from './accounts';
import { chosenExpiry, type ExpiryForm, readExpiry } from './expiryField';
import { type FieldProblems, wholeNumber } from './field';
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
function propertiesOf(form: TokenForm) {
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

/** Checks all values of a form, and finds the account that is meant: the returned form contains its id. */
export async function checkTokenForm(
  request: SectionRequest,
  form: TokenForm,
): Promise<Findings & { readonly form: TokenForm }> {
  const problems = problemsOf(request, form);
  const { account: search } = form;
  if (search === '' || problems.some(({ field }) => field === 'account')) return { form, problems };
  if (form.accountId !== '') return { form: { ...form, account: form.accountId }, problems };
  const meant = await meantAccounts(request.installation, search);
  // Without a list of accounts, the text is the id.
  if (meant === null) return { form: { ...form, accountId: search }, problems };
  const [account] = meant;
  if (account && meant.length === 1) return { form: { ...form, accountId: account.id }, problems };
  const sentence = request.text(`form.account.${account ? 'several' : 'none'}`, { search });
  const accounts = account ? meant : await searchAccounts(request.installation, search);
  return { form, problems: [...problems, { field: 'account', sentence }], accounts: accounts ?? [] };
}

function problemsOf(request: SectionRequest, form: TokenForm): FieldProblems {
  const now = Math.floor(Date.now() / 1000);
  const properties = Object.entries(propertiesOf(form)).map(([name, value]) => () => ({ [name]: value }));
  return [...properties, () => chosenExpiry(form)].flatMap((changes) => {
    try {
      checkTokenChanges(changes(), request.tokenRules, now);
      return [];
    } catch (error) {
      if (error instanceof InvalidInput) return [fieldProblem(request, form, error)];
      throw error;
    }
  });
}

/** Why a value of the form was refused, with the id of its field. */
export function fieldProblem(
  request: SectionRequest,
  { expiryDate }: TokenForm,
  problem: InvalidInput,
): FieldProblems[number] {
  const { input } = problem;
  const field = input === 'expires' && expiryDate !== '' ? 'expiry_date' : FIELDS[input];
  return { field: field ?? null, sentence: request.invalid(problem) };
}

const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  note: 'note',
  scopes: 'scope',
  accountId: 'account',
  allowedAddresses: 'addresses',
  rateLimit: 'rate_limit',
  expires: 'expiry',
  date: 'expiry_date',
};
