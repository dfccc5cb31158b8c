import { InvalidInput } from '../errors/InvalidInput';
import { CONTROL } from '../errors/printable';
import {
  type Binding,
  type BoundAccount,
  bindingTo,
  type NamedAccounts,
  type TokenProperties,
} from './TokenRecord';
import { withoutTokens } from './tokenFormat';
import type { TokensParts } from './tokenRows';

const LONGEST_ACCOUNT_ID = 128;
const MOST_ACCOUNTS = 100;

/**
 * Returns the accounts that a request names, without what makes each of them itself; undefined if it names none. A change
 * may name null for all.
 */
export function checkBinding(
  request: NamedAccounts,
  rules: Pick<TokensParts, 'prefix'>,
  isChange: boolean,
): Binding | undefined {
  const { accountId, accountIds, owner = false } = request;
  if ('owner' in request && !(typeof request.owner === 'boolean' && 'accountId' in request))
    throw new InvalidInput('owner', 'Set owner to true or false, together with accountId.');
  if ('accountIds' in request) {
    if ('accountId' in request)
      throw new InvalidInput('accountIds', 'Set either accountId or accountIds, not both.');
    if (!Array.isArray(accountIds) || accountIds.length === 0 || accountIds.length > MOST_ACCOUNTS)
      throw new InvalidInput('accountIds', `A token can have 1 to ${MOST_ACCOUNTS} accounts.`);
    const ids = new Set(accountIds.map((id) => checkAccountId(id, rules)));
    return bindingTo([...ids].map(unmarked));
  }
  if (!('accountId' in request)) return undefined;
  if (accountId !== null || !isChange) return bindingTo([unmarked(checkAccountId(accountId, rules))], owner);
  if (owner) throw new InvalidInput('owner', 'A token of all accounts has no owner.');
  return bindingTo([]);
}

/** The accounts that changes name, looked up; undefined if they name none. */
export async function findBinding(changes: NamedAccounts, parts: TokensParts): Promise<Binding | undefined> {
  const named = checkBinding(changes, parts, true);
  return named && parts.bind(named);
}

function unmarked(id: string): BoundAccount {
  return { id, createdAt: null, username: null };
}

// An account that is undefined by mistake must not create a token for all accounts.
export function checkAccountId(accountId: unknown, rules: Pick<TokensParts, 'prefix'>): string {
  const text = keyText(accountId);
  if (text === '' || text.length > LONGEST_ACCOUNT_ID || CONTROL.test(text) || !text.isWellFormed())
    throw new InvalidInput(
      'accountId',
      `The account of a token must be an integer or a string of 1 to ${LONGEST_ACCOUNT_ID} characters, without control characters.`,
    );
  refuseToken('accountId', 'account', text, rules);
  return text;
}

/**
 * Returns the stored text of an account's key; empty if it is invalid. A number that lost digits may be another
 * account's key.
 */
function keyText(key: unknown): string {
  // Spaces around it may make it another account's key.
  if (typeof key === 'string') return key === key.trim() ? key : '';
  return typeof key === 'bigint' || Number.isSafeInteger(key) ? String(key) : '';
}

/** A token that was pasted into a text would be stored and shown. */
export function refuseToken(
  property: keyof TokenProperties,
  label: string,
  text: string,
  { prefix }: Pick<TokensParts, 'prefix'>,
): void {
  if (withoutTokens(text, prefix) === text) return;
  throw new InvalidInput(property, `The ${label} of a token must not contain a token.`);
}
