import { InvalidInput } from '../errors/InvalidInput';
import { checkNewExpiry, type TokenExtension } from './checkTokenRequest';
import {
  auditedProperties,
  type ChangeParts,
  lockToken,
  storedProperties,
  type TokenProperties,
  type TokenRecord,
  type TokenTransaction,
} from './TokenRecord';
import { filterSql } from './tokenFilters';
import { isLater } from './tokenWarnings';

/** The token was changed since the version that the changes are based on. Nothing was written. */
export class StaleToken extends InvalidInput {
  /** The token as it is now. */
  readonly current: TokenRecord;

  constructor(current: TokenRecord) {
    super('version', `Token ${current.id} was changed in the meantime.`);
    this.name = 'StaleToken';
    this.current = current;
  }
}

/** A change of a token. */
export interface Change {
  readonly action: 'token.changed' | 'token.extended';
  /** What the change is based on. */
  readonly given: { readonly version?: number };
  /** Returns the properties to change. Throws InvalidInput. */
  readonly check: (token: TokenRecord) => Partial<TokenProperties>;
}

/**
 * Stores the properties of an active token that a change makes different, with their audit entry, within a transaction.
 * If none differs, nothing is written. Returns null if the token does not exist. Throws StaleToken if the change is based
 * on another version. A concurrent change of the token waits until this transaction has ended.
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
  const token = await lockToken(transaction, id);
  if (!token) return null;
  if (token.state !== 'active') throw notActive(token);
  if (isBased && given.version !== token.version) throw new StaleToken(token);
  const next = { ...token, ...check(token), version: token.version + 1 };
  const differences = differencesOf(auditedProperties(token), auditedProperties(next));
  if (Object.keys(differences).length === 0) return token;
  const stored = await session.run((knex) =>
    knex(tables.tokens)
      .where({ id })
      .whereRaw(filterSql('active', transaction))
      .update({
        ...storedProperties(next),
        version: next.version,
        // The panel is told of each end anew.
        ...(next.expiresAt === token.expiresAt ? {} : { told_days: null }),
      }),
  );
  // The row is locked, so only the time can have ended the token since it was read.
  if (stored === 0) throw notActive({ id, state: 'expired' });
  const details = { name: token.name, ...differences };
  await audit.append(session, author, { at: token.readAt, action, tokenId: id, details });
  return next;
}

function notActive({ id, state }: Pick<TokenRecord, 'id' | 'state'>): InvalidInput {
  return new InvalidInput('id', `Token ${id} is ${state}. Only an active token can be changed.`);
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

export function differencesOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
) {
  return Object.fromEntries(
    Object.entries(before)
      .map(([name, from]) => [name, { from, to: after[name] }] as const)
      .filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)),
  );
}
