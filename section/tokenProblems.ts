import { InvalidInput } from '../lib/errors/InvalidInput';
import { checkTokenChanges } from '../lib/tokens/checkTokenRequest';
import { chosenExpiry } from './expiryField';
import type { FieldProblems } from './fieldProblems';
import type { SectionRequest } from './SectionRequest';
import { propertiesOf, type TokenForm } from './tokenForm';

/** Every reason why the values of the form would be refused; none if it can be sent. */
export function tokenProblems({ installation }: SectionRequest, form: TokenForm): FieldProblems {
  const now = Math.floor(Date.now() / 1000);
  const check = (changes: object) => checkTokenChanges(changes, installation.scopes, now);
  const checks = [
    ...Object.entries(propertiesOf(form)).map(
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
      if (error instanceof InvalidInput) return [tokenProblem(form, error)];
      throw error;
    }
  });
}

/** Why a value of the form was refused, with the id of its field. */
export function tokenProblem({ expiryDate }: TokenForm, problem: InvalidInput): FieldProblems[number] {
  const { input } = problem;
  return {
    field: input === 'expires' && expiryDate !== '' ? 'expiry_date' : (FIELDS[input] ?? null),
    problem,
  };
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
