import { InvalidInput } from '../lib/errors/InvalidInput';
import { checkTokenChanges } from '../lib/tokens/checkTokenRequest';
import { type Account, meantAccounts, searchAccounts } from './accounts';
import { chosenExpiry } from './expiryField';
import type { FieldProblems } from './fieldProblems';
import type { SectionRequest } from './SectionRequest';
import { propertiesOf, type TokenForm } from './tokenForm';

/** What the check of a form found. */
export interface Findings {
  /** Every reason why the form is refused. */
  readonly problems: FieldProblems;
  /** The accounts to choose from, if the text means none or several. */
  readonly accounts?: readonly Account[];
}

export const NO_FINDINGS: Findings = { problems: [] };

/** Checks all values of a form, and finds the account that is meant: the returned form contains its id. */
export async function checkTokenForm(
  request: SectionRequest,
  form: TokenForm,
): Promise<Findings & { readonly form: TokenForm }> {
  const problems = problemsOf(request, form);
  if (form.account === '' || problems.some(({ field }) => field === 'account')) return { form, problems };
  if (form.accountId !== '') return { form: { ...form, account: form.accountId }, problems };
  const meant = await meantAccounts(request.installation, form.account);
  // Without a list of accounts, the text is the id.
  if (meant === null) return { form: { ...form, accountId: form.account }, problems };
  const [account] = meant;
  if (account && meant.length === 1) return { form: { ...form, accountId: account.id }, problems };
  const search = form.account;
  const sentence = request.text(`form.account.${account ? 'several' : 'none'}`, { search });
  const accounts = account ? meant : await searchAccounts(request.installation, search);
  return { form, problems: [...problems, { field: 'account', sentence }], accounts: accounts ?? [] };
}

function problemsOf(request: SectionRequest, form: TokenForm): FieldProblems {
  const now = Math.floor(Date.now() / 1000);
  const check = (changes: object) => checkTokenChanges(changes, request.tokenRules, now);
  const properties = Object.entries(propertiesOf(form));
  const checks = [
    ...properties.map(
      ([name, value]) =>
        () =>
          check({ [name]: value }),
    ),
    () => check(chosenExpiry(form)),
  ];
  return checks.flatMap((attempt) => {
    try {
      attempt();
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
