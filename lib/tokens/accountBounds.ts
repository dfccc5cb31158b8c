import { randomUUID } from 'node:crypto';
import { ACCOUNT_ORIGIN, type Author } from '../audit/AuditLog';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Rows } from '../database/Statement';
import { InvalidInput } from '../errors/InvalidInput';
import { storeTexts } from '../settings/settingsTable';
import { checkAccountId } from './checkBinding';
import {
  type AccountToken,
  isSameAccount,
  type PresentAccount,
  type TokenChanges,
  type TokenRecord,
} from './TokenRecord';
import { groupConditions } from './tokenFilters';
import {
  type ChangeParts,
  type Customer,
  selectTokens,
  type TokensParts,
  type TokenTransaction,
  tokenRecord,
  whereBoundToAlone,
} from './tokenRows';

// What an account may see of tokens, and what it may do as the author of a change.

/** The name, in the table of settings, of the row that each creation for a customer changes. */
const LAST_CREATION = 'last_customer_token';

/** How many tokens an account may create within a minute, rotations included. */
const MOST_PER_MINUTE = 5;

const MINUTE_SECONDS = 60;

/** Returns the account with this id, and what the settings allow it. */
export async function findCustomer(parts: TokensParts, id: string): Promise<Customer> {
  const bounds = await parts.readBounds();
  return { ...(await parts.findAccount(id)), bounds };
}

/** Whether a token is bound to this account alone, as it is now: its id may have been that of another one before. */
export function isBoundTo(
  { accounts: [bound, ...others] }: Pick<TokenRecord, 'accounts'>,
  { state, account }: PresentAccount,
): boolean {
  if (state === 'gone' || bound?.id !== account.id || others.length > 0) return false;
  // Without a list of accounts, a token is bound to an id alone.
  const isEqual = bound.createdAt === account.createdAt && bound.username === account.username;
  return isEqual || isSameAccount(bound, account);
}

/** Whether the account has created the token. */
export function isOwn(token: Pick<TokenRecord, 'accounts' | 'origin'>, customer: PresentAccount): boolean {
  return token.origin === ACCOUNT_ORIGIN && isBoundTo(token, customer);
}

/** The token as its account may see it; null if it may not. */
export function shownToken(token: TokenRecord, customer: Customer): AccountToken | null {
  if (!isBoundTo(token, customer)) return null;
  const { administratorsTokens } = customer.bounds;
  const shown = { ...token, note: null, createdBy: '', revokedBy: null };
  if (isOwn(token, customer)) return { ...shown, isOwn: true, isRevocable: true };
  const name = administratorsTokens === 'unnamed' ? '' : token.name;
  const hidden = { name, lineage: token.id, lastUsedAddress: null };
  return { ...shown, ...hidden, isOwn: false, isRevocable: administratorsTokens === 'revocable' };
}

/** A token as the author of its change may see it. */
export function shownToAuthor(token: TokenRecord, { customer }: TokensParts): TokenRecord {
  return (customer && shownToken(token, customer)) ?? token;
}

/** Returns the parts for this author, with the account if the author is one. */
export async function authorParts(parts: TokensParts, author: Author): Promise<TokensParts> {
  const { accountId } = author;
  if (accountId === undefined) return parts;
  return { ...parts, customer: await findCustomer(parts, checkAccountId(accountId, parts)) };
}

/**
 * Returns what a change by this author needs. For an account, the settings narrow the scopes and the life of tokens. Throws
 * InvalidInput if customers may create no tokens, or if the account is suspended or gone.
 */
export async function changeParts(parts: TokensParts, author?: Author): Promise<ChangeParts> {
  const { customer } = author ? await authorParts(parts, author) : parts;
  if (!customer) return { ...parts, life: await parts.readLife() };
  const { bounds, state } = customer;
  if (bounds.scopes.length === 0)
    throw new InvalidInput('origin', 'Customers may not create or change tokens at present.');
  if (state !== 'served') throw new InvalidInput('origin', UNSERVED[state]);
  return { ...parts, life: bounds.life, scopes: bounds.scopes, customer };
}

/** The rules for a change of a token, which may keep those of all scopes that it has. */
export function rulesFor({ scopes }: TokenRecord, parts: ChangeParts, all: readonly string[]): ChangeParts {
  const allowed = [...parts.scopes, ...scopes];
  return { ...parts, scopes: all.filter((scope) => allowed.includes(scope)) };
}

const UNSERVED = {
  suspended: 'The account is suspended, so it cannot create or change tokens.',
  gone: 'The account does not exist any more, so it cannot create or change tokens.',
} as const;

/**
 * Returns what an account asks for, with its id if it names any account or `isNew`. Throws InvalidInput for what it may not
 * ask for. What other authors ask for is returned as it is.
 */
export function boundedRequest<T extends TokenChanges>(given: T, parts: TokensParts, isNew: boolean): T {
  const { customer } = parts;
  if (!customer) return given;
  const { account, bounds } = customer;
  const namesOther =
    'accountIds' in given || ('accountId' in given && checkAccountId(given.accountId, parts) !== account.id);
  if (namesOther)
    throw new InvalidInput('accountId', 'A customer may bind a token only to the account that is signed in.');
  if (given.owner === true && !bounds.customerOwner)
    throw new InvalidInput('owner', 'A token of a customer may not read the accounts that the account owns.');
  if (typeof given.rateLimit === 'number' && given.rateLimit > bounds.rateLimit)
    throw new InvalidInput('rateLimit', `The rate limit of this token must be at most ${bounds.rateLimit}.`);
  return isNew || 'accountId' in given ? { ...given, accountId: account.id } : given;
}

/** Whether a token does not exist for the author who wants to change it: an account may change only what it has created. */
export function isHidden(token: TokenRecord, { customer }: TokensParts): boolean {
  return customer !== undefined && !isOwn(token, customer);
}

/** The transactions that create a token. */
export type CreationName = 'tokens.create' | 'tokens.rotate';

/**
 * Runs a creation for an account in its turn in this process. An account that has no room, or many creations at once, lets
 * no other one wait. Both the turn and the creation end before the page that waits for them.
 */
export function inTurn<T>(
  parts: TokensParts,
  customer: Customer,
  name: CreationName,
  create: (database: TokensParts['database']) => Promise<T>,
): Promise<T> {
  const { turns, database } = parts;
  const end = performance.now() + database.deadlineMs / 2;
  const onLate = () => new DatabaseFailure(name, 'DEADLINE');
  const wait = async () => {
    const reads = database.inSlotsOf('tokens');
    checkRoom(await reads.query<Rows>(name, () => selectCounted(parts, customer)), customer, name);
    return turns.take((leftMs) => create(database.within(leftMs)), end - performance.now(), onLate);
  };
  return turns.among(customer.account.id, MOST_PER_MINUTE, wait, tooMany);
}

/**
 * Refuses a new token of an account that has as many as it may, within the transaction that creates it: transactions of all
 * processes that create a token for a customer run one after another. Throws InvalidInput.
 */
export async function requireRoom(transaction: TokenTransaction, name: CreationName): Promise<void> {
  const { customer, session } = transaction;
  if (!customer) return;
  // On another node of a cluster, a transaction that only locks a row is no conflict: it must change it.
  await storeTexts(transaction, session, new Map([[LAST_CREATION, randomUUID()]]));
  checkRoom(await session.run<Rows>(() => selectCounted(transaction, customer)), customer, name);
}

/** Selects the tokens that may count: those that are active, or were created within a minute. */
function selectCounted(parts: TokensParts, { account }: Customer) {
  return whereBoundToAlone(selectTokens(parts), account.id)
    .where({ origin: ACCOUNT_ORIGIN })
    .whereRaw(
      `(${groupConditions(parts).active} OR created_at > ${parts.database.dialect.now} - ${MINUTE_SECONDS})`,
    );
}

/** A rotation replaces a token, so that only those that were rotated and are still active are counted. */
function checkRoom(rows: Rows, customer: Customer, name: CreationName): void {
  const own = rows.map(tokenRecord).filter((token) => isOwn(token, customer));
  const recent = own.filter(({ createdAt, readAt }) => createdAt > readAt - MINUTE_SECONDS);
  if (recent.length >= MOST_PER_MINUTE) throw tooMany();
  const isRotation = name === 'tokens.rotate';
  const active = own.filter(
    ({ state, rotatedAt }) => state === 'active' && (rotatedAt !== null || !isRotation),
  );
  const { customerTokens } = customer.bounds;
  if (active.length < customerTokens) return;
  const counted = isRotation ? 'rotated tokens that are still active' : 'active tokens of the account';
  throw new InvalidInput('tokens', `The number of ${counted} is limited to ${customerTokens}: revoke one.`);
}

function tooMany(): InvalidInput {
  return new InvalidInput(
    'tokens',
    `At most ${MOST_PER_MINUTE} tokens can be created in a minute: wait a minute.`,
  );
}
