import { InvalidInput } from '../lib/errors/InvalidInput';
import type { NamedAccounts } from '../lib/tokens/checkBinding';
import {
  checkTokenChanges,
  type TokenChanges,
  type TokenRequest,
  type TokenRules,
} from '../lib/tokens/checkTokenRequest';
import type { TokenRecord } from '../lib/tokens/TokenRecord';
import { findAccounts } from './accounts';
import { chosenExpiry } from './expiryField';
import { type FieldProblems, wholeNumber } from './field';
import type { SectionRequest } from './SectionRequest';

/**
 * The fields of the form of a token that have one value. `account` is what was typed to name accounts, with commas between
 * them, `account_id` the ids of those that are meant, one a line, `owner` is `yes` for the accounts that they own, and
 * `duplicate_of` the id of the token whose values the form was filled in with; each is empty if there is none.
 */
const FIELDS = [
  'name',
  'note',
  'account',
  'account_id',
  'owner',
  'addresses',
  'rate_limit',
  'expiry',
  'expiry_date',
  'duplicate_of',
] as const;

/** The form of a token as it was filled in, by the names of its fields. */
export type TokenForm = Readonly<Record<(typeof FIELDS)[number], string>> & {
  readonly scope: readonly string[];
};

/** The form of a new token, with the expiry of the settings unless the fields contain one. */
export async function newTokenForm({ installation }: SectionRequest, fields: URLSearchParams) {
  const form = readTokenForm(fields);
  // A new token has no expiry to keep.
  if (form.expiry !== 'keep') return form;
  const { usual } = await installation.settings.tokenLife();
  return { ...form, expiry: String(usual ?? 'never') };
}

/** Reads the form's fields. A missing field is empty, and without a choice the present expiry is kept. */
export function readTokenForm(fields: URLSearchParams): TokenForm {
  // Browsers send lines that end with CR and LF.
  const text = (name: string) => (fields.get(name) ?? '').replace(/\r\n?/g, '\n').trim();
  const form = Object.fromEntries(FIELDS.map((name) => [name, text(name)])) as Record<
    (typeof FIELDS)[number],
    string
  >;
  return { ...form, expiry: form.expiry || 'keep', scope: fields.getAll('scope') };
}

/** The form of a token that exists. Its expiry is kept. */
export function formOfToken(token: TokenRecord): TokenForm {
  return {
    ...readTokenForm(new URLSearchParams()),
    name: token.name,
    note: token.note ?? '',
    scope: token.scopes,
    account: token.accounts.map(({ id }) => id).join(', '),
    owner: token.owner ? 'yes' : '',
    addresses: token.allowedAddresses.join('\n'),
    rate_limit: String(token.rateLimit ?? ''),
  };
}

/** The opposite of readTokenForm: the fields of a form that submits this one again. */
export function fieldsOf(form: TokenForm): URLSearchParams {
  const fields = new URLSearchParams(FIELDS.map((name): [string, string] => [name, form[name]]));
  for (const scope of form.scope) fields.append('scope', scope);
  return fields;
}

/** The accounts that the form names. */
function accountsOf({ account, account_id, owner }: TokenForm): NamedAccounts {
  const ids = account_id === '' ? namesIn(account) : account_id.split('\n');
  const [accountId = null, ...others] = ids;
  if (others.length > 0) return { accountIds: ids, ...(owner !== '' && { owner: true }) };
  return { accountId, ...(accountId !== null && { owner: owner !== '' }) };
}

function namesIn(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

/** The properties of the token except its expiry, null for an empty field. They are not checked here. */
function propertiesOf(form: TokenForm) {
  return {
    name: form.name,
    note: form.note || null,
    scopes: form.scope,
    ...accountsOf(form),
    allowedAddresses: form.addresses.split(/[\s,]+/).filter(Boolean),
    rateLimit: form.rate_limit === '' ? null : wholeNumber(form.rate_limit),
  } satisfies TokenChanges;
}

/** All properties, for a token that exists; without an expiry if it is kept. Throws as `chosenExpiry` does. */
export function tokenChanges(form: TokenForm): TokenChanges {
  return { ...propertiesOf(form), ...chosenExpiry(form) };
}

/** The request for a new token. Throws as `chosenExpiry` does. */
export function tokenRequest(form: TokenForm): TokenRequest {
  const given = Object.entries(tokenChanges(form)).filter(
    ([name, value]) => value !== null || name === 'expiresAt',
  );
  return Object.fromEntries(given) as unknown as TokenRequest;
}

/** Checks all values of a form, and finds the account that is meant: the returned form contains its id. */
export async function checkTokenForm(request: SectionRequest, form: TokenForm) {
  const problems = problemsOf(request, form, await request.tokenRules());
  const { account: search } = form;
  if (search === '' || problems.some(({ field }) => field === 'account')) return { form, problems };
  if (form.account_id !== '')
    return { form: { ...form, account: form.account_id.replaceAll('\n', ', ') }, problems };
  const names = namesIn(search);
  const meant = (name: string) => findAccounts(request.installation, name, 'username');
  const found = await Promise.all(names.map(async (name) => ({ name, accounts: await meant(name) })));
  // Without a list of accounts, the texts are the ids.
  const ids = found.map(({ name, accounts }) => (accounts ? accounts[0]?.id : name)).join('\n');
  const wrong = found.filter(({ accounts }) => accounts !== null && accounts.length !== 1);
  const [first] = wrong;
  if (!first) return { form: { ...form, account_id: ids }, problems };
  const sentences = wrong.map(({ name, accounts }) => ({
    field: 'account',
    sentence: request.text(`form.account.${accounts?.length ? 'several' : 'none'}`, { search: name }),
  }));
  const findings = { form, problems: [...problems, ...sentences] };
  if (names.length > 1) return findings;
  const some = first.accounts?.length ? first.accounts : null;
  return {
    ...findings,
    accounts: some ?? (await findAccounts(request.installation, search, 'search')) ?? [],
  };
}

function problemsOf(request: SectionRequest, form: TokenForm, rules: TokenRules): FieldProblems {
  const now = Math.floor(Date.now() / 1000);
  const { accountId: _, accountIds: _all, owner: _owner, ...others }: TokenChanges = propertiesOf(form);
  const properties = [
    ...Object.entries(others).map(([name, value]) => () => ({ [name]: value })),
    () => accountsOf(form),
  ];
  return [...properties, () => chosenExpiry(form)].flatMap((changes) => {
    try {
      checkTokenChanges(changes(), rules, now);
      return [];
    } catch (error) {
      if (error instanceof InvalidInput) return [fieldProblem(request, form, error)];
      throw error;
    }
  });
}

/** Why a value of the form was refused, with the id of its field. */
export function fieldProblem(request: SectionRequest, { expiry_date }: TokenForm, problem: InvalidInput) {
  const { input } = problem;
  const field = input === 'expires' && expiry_date !== '' ? 'expiry_date' : FIELD_OF[input];
  return { field: field ?? null, sentence: request.invalid(problem) };
}

const FIELD_OF: Readonly<Record<string, string>> = {
  name: 'name',
  note: 'note',
  scopes: 'scope',
  accountId: 'account',
  accountIds: 'account',
  owner: 'account',
  allowedAddresses: 'addresses',
  rateLimit: 'rate_limit',
  expires: 'expiry',
  date: 'expiry_date',
};
