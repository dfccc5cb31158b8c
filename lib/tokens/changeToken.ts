import { ACCOUNT_ORIGIN } from '../audit/AuditLog';
import { InvalidInput } from '../errors/InvalidInput';
import { isBoundTo, isHidden, shownToAuthor } from './accountBounds';
import { checkNewExpiry } from './checkTokenRequest';
import {
  changesOf,
  StaleToken,
  type TokenExtension,
  type TokenProperties,
  type TokenRecord,
} from './TokenRecord';
import {
  type ChangeParts,
  lockToken,
  readClock,
  stateOf,
  storedProperties,
  type TokenTransaction,
} from './tokenRows';
import { isLater } from './tokenWarnings';

/** A change of a token. */
export interface Change {
  readonly action: 'token.changed' | 'token.extended';
  /** What the change is based on. */
  readonly given: { readonly version?: number };
  /** Returns the properties to change. Throws InvalidInput. */
  readonly check: (token: TokenRecord) => Partial<TokenProperties>;
}

/**
 * Runs a change of an active token in a transaction. Returns null if the token does not exist. A concurrent change of the
 * token waits until this transaction has ended. Throws InvalidInput if the token is not active, also if it expires before
 * the last statement: each of them may wait for a lock.
 */
export async function changeActive<T>(
  transaction: TokenTransaction,
  id: number,
  done: 'changed' | 'rotated',
  change: (token: TokenRecord) => Promise<T>,
): Promise<T | null> {
  const token = await lockToken(transaction, id);
  if (!token || isHidden(token, transaction)) return null;
  const requireActive = (readAt: number) => {
    const state = stateOf({ ...token, readAt });
    if (state !== 'active')
      throw new InvalidInput('id', `Token ${id} is ${state}. Only an active token can be ${done}.`);
  };
  requireActive(token.readAt);
  const changed = await change(token);
  requireActive(await readClock(transaction));
  return changed;
}

/**
 * Stores the properties of an active token that a change makes different, with their audit entry, within a transaction.
 * If none differs, nothing is written. Returns null if the token does not exist. Throws StaleToken if the change is based
 * on another version.
 */
export async function changeToken(
  transaction: TokenTransaction,
  id: number,
  { action, given, check }: Change,
): Promise<TokenRecord | null> {
  const { session, author, audit, tables } = transaction;
  const isBased = 'version' in given;
  if (isBased && !Number.isSafeInteger(given.version))
    throw new InvalidInput('version', 'The version must be a whole number.');
  return changeActive(transaction, id, 'changed', async (token) => {
    if (isBased && given.version !== token.version) throw new StaleToken(shownToAuthor(token, transaction));
    const next = { ...token, ...check(token), version: token.version + 1 };
    const differences = changesOf(token, next);
    if (Object.keys(differences).length === 0) return token;
    const isKept = token.accounts.some((account) => isBoundTo(next, { state: 'served', account }));
    // The account that it is bound to now may not have created it.
    const isMoved = token.origin === ACCOUNT_ORIGIN && 'accounts' in differences && !isKept;
    const origin = isMoved ? author.origin : token.origin;
    await session.run((knex) =>
      knex(tables.tokens)
        .where({ id })
        .update({
          ...storedProperties(next),
          origin,
          version: next.version,
          // The panel is told of each end anew.
          ...(next.expiresAt === token.expiresAt ? {} : { told_days: null }),
        }),
    );
    const details = { name: token.name, ...differences };
    await audit.append(session, author, { at: token.readAt, action, tokenId: id, details });
    return { ...next, origin };
  });
}

/** Returns the later expiry that an extension gives a token. Throws InvalidInput if it gives none. */
export function extendedExpiry(extension: TokenExtension, rules: ChangeParts, token: TokenRecord) {
  const expiresAt = checkNewExpiry(extension, rules, token.readAt);
  if (expiresAt === undefined)
    throw new InvalidInput('expires', 'An extension needs expiresAt or expiresInSeconds.');
  if (!isLater(expiresAt, token.expiresAt))
    throw new InvalidInput('expires', 'The new expiry must be later than the present one.');
  return expiresAt;
}
