import { InvalidInput } from '../lib/errors/InvalidInput';
import type {
  NamedAccounts,
  TokenChanges,
  TokenProperties,
  TokenRecord,
  TokenRequest,
} from '../lib/tokens/TokenRecord';
import type { Findings } from './accounts';
import { chosenExpiry } from './expiryField';
import { ifWrong, wholeNumber } from './field';
import type { SectionRequest } from './SectionRequest';

/**
 * The fields of the form of a token that have one value. `account` is what was typed to name accounts, with commas between
 * them, `account_id` the ids of those that are meant, one a line, and `owner` is `yes` for the accounts that they own; each
 * is empty if there is none.
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
] as const;

/** The form of a token as it was filled in, by the names of its fields. */
export type TokenForm = Readonly<Record<(typeof FIELDS)[number], string>> & {
  readonly scope: readonly string[];
};

/** The form of a new token, with the expiry of the settings unless the fields contain one. */
export async function newTokenForm({ view }: SectionRequest, fields: URLSearchParams) {
  const form = readTokenForm(fields);
  // A new token has no expiry to keep.
  if (form.expiry !== 'keep') return form;
  const { usual } = await view.life();
  return { ...form, expiry: String(usual ?? 'never') };
}

/** Reads the form's fields. A missing field is empty, and without a choice the present expiry is kept. */
export function readTokenForm(fields: URLSearchParams): TokenForm {
  // Browsers send lines that end with CR and LF.
  const text = (name: string) => (fields.get(name) ?? '').replace(/\r\n?/g, '\n').trim();
  const form = Object.fromEntries(FIELDS.map((name) => [name, text(name)])) as Omit<TokenForm, 'scope'>;
  return { ...form, expiry: form.expiry || 'keep', scope: fields.getAll('scope') };
}

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

/** The properties of the token by the fields of the form, null for an empty one. They are not checked here. */
const PROPERTIES: readonly ((form: TokenForm) => TokenChanges)[] = [
  ({ name }) => ({ name }),
  ({ note }) => ({ note: note || null }),
  ({ scope }) => ({ scopes: scope }),
  accountsOf,
  ({ addresses }) => ({ allowedAddresses: addresses.split(/[\s,]+/).filter(Boolean) }),
  ({ rate_limit }) => ({ rateLimit: rate_limit === '' ? null : wholeNumber(rate_limit) }),
  chosenExpiry,
];

/** All properties, for a token that exists; without an expiry if it is kept. Throws as `chosenExpiry` does. */
export function tokenChanges(form: TokenForm): TokenChanges {
  return Object.assign({}, ...PROPERTIES.map((property) => property(form)));
}

/** The request for a new token. Throws as `chosenExpiry` does. */
export function tokenRequest(form: TokenForm): TokenRequest {
  const given = Object.entries(tokenChanges(form)).filter(
    ([name, value]) => value !== null || name === 'expiresAt',
  );
  return Object.fromEntries(given) as unknown as TokenRequest;
}

/** A form that was checked: with the ids of the accounts that it names, and the properties of its token. */
interface CheckedForm extends Findings {
  readonly form: TokenForm;
  readonly properties: Partial<TokenProperties>;
}

/** Checks all values of a form, and finds the accounts that are meant. */
export async function checkTokenForm(request: SectionRequest, form: TokenForm): Promise<CheckedForm> {
  const typed = await check(request, form, false);
  if (typed.problems.some(({ field }) => field === 'account')) return typed;
  const found = await findMeant(request, form);
  if (!('problems' in found)) return check(request, found, true);
  return { ...typed, ...found, problems: [...typed.problems, ...found.problems] };
}

async function check(request: SectionRequest, form: TokenForm, looksUp: boolean): Promise<CheckedForm> {
  const propertiesOf = await request.api.tokens.propertiesCheck(looksUp);
  const checks = PROPERTIES.map(async (property) => propertiesOf(property(form)));
  const results = await Promise.all(checks.map((one) => one.catch(ifWrong((error) => error))));
  const wrong = results.filter((one) => one instanceof InvalidInput);
  const problems = wrong.map((error) => fieldProblem(request, form, error));
  const right = results.filter((one) => !(one instanceof InvalidInput));
  return { form, problems, properties: Object.assign({}, ...right) };
}

/** The form with the ids of the accounts that it names, or why they are not clear. */
async function findMeant(request: SectionRequest, form: TokenForm): Promise<TokenForm | Findings> {
  const { account: search, account_id: chosen } = form;
  const { panelAccounts } = request.parts;
  if (chosen !== '') return { ...form, account: chosen.replaceAll('\n', ', ') };
  const names = namesIn(search);
  const meant = (name: string) => panelAccounts.find(name, 'username');
  const found = await Promise.all(names.map(async (name) => ({ name, accounts: await meant(name) })));
  // Without a list of accounts, the texts are the ids.
  const isListed = await panelAccounts.areListed();
  const wrong = found.filter(({ accounts }) => (accounts === null ? isListed : accounts.length !== 1));
  const [first] = wrong;
  if (!first)
    return { ...form, account_id: found.map(({ name, accounts }) => accounts?.[0]?.id ?? name).join('\n') };
  const problems = wrong.map(({ name, accounts }) => {
    const why = accounts === null ? 'unread' : accounts.length > 0 ? 'several' : 'none';
    return { field: 'account', sentence: request.text(`form.account.${why}`, { search: name }) };
  });
  if (names.length > 1) return { problems };
  const some = first.accounts?.length ? first.accounts : null;
  const accounts = some ?? (await panelAccounts.find(search, 'search')) ?? [];
  return { problems, accounts };
}

/** Why a value of the form was refused, with the id of its field. */
export function fieldProblem(request: SectionRequest, form: TokenForm, problem: InvalidInput) {
  const { input } = problem;
  const field = input === 'expires' && form.expiry_date !== '' ? 'expiry_date' : FIELD_OF[input];
  const isMissing = (input === 'name' && form.name === '') || (input === 'scopes' && form.scope.length === 0);
  if (!isMissing) return { field: field ?? null, sentence: request.invalid(problem) };
  const missing = request.text(`audit.name.${input}`);
  return { field: field ?? null, sentence: request.text(`form.${input}.none`), missing };
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
