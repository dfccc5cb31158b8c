import type { Author } from '../audit/AuditLog';
import type { Session } from '../database/Session';
import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import {
  checkNewExpiry,
  checkTokenChanges,
  type TokenChanges,
  type TokenExtension,
} from './checkTokenRequest';
import {
  auditedProperties,
  type Binding,
  type ChangeParts,
  lockToken,
  storedProperties,
  type TokenProperties,
  type TokenRecord,
  type TokensParts,
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

/**
 * Changes properties of a token, within a transaction. Returns null if it does not exist. `binding` are the accounts that
 * the changes name, looked up.
 */
export async function updateToken(
  parts: ChangeParts,
  session: Session,
  id: number,
  changes: TokenChanges,
  binding: Binding | undefined,
  author: Author,
): Promise<TokenRecord | null> {
  const token = await lockActive(parts, session, id, changes);
  if (!token) return null;
  const changed = { ...checkTokenChanges(changes, parts, token.readAt), ...binding };
  return store(parts, session, token, changed, { author, action: 'token.changed' });
}

/** Gives a token a later expiry, within a transaction. Returns null if it does not exist. */
export async function extendToken(
  parts: ChangeParts,
  session: Session,
  id: number,
  extension: TokenExtension,
  author: Author,
): Promise<TokenRecord | null> {
  checkKeys(extension, 'An extension', ['expiresAt', 'expiresInSeconds', 'version']);
  const token = await lockActive(parts, session, id, extension);
  if (!token) return null;
  const expiresAt = checkNewExpiry(extension, parts, token.readAt);
  if (expiresAt === undefined)
    throw new InvalidInput('expires', 'An extension needs expiresAt or expiresInSeconds.');
  if (!isLater(expiresAt, token.expiresAt))
    throw new InvalidInput('expires', 'The new expiry must be later than the present one.');
  return store(parts, session, token, { expiresAt }, { author, action: 'token.extended' });
}

/**
 * Locks the row of an active token. A concurrent change of the token waits until this transaction has ended. Throws
 * StaleToken if the change is based on another version.
 */
async function lockActive(
  parts: TokensParts,
  session: Session,
  id: number,
  change: { readonly version?: number },
): Promise<TokenRecord | null> {
  const isBased = 'version' in change;
  if (isBased && !Number.isSafeInteger(change.version))
    throw new InvalidInput('version', 'The version must be a whole number.');
  const token = await lockToken(parts, session, id);
  if (!token) return null;
  if (token.state !== 'active') throw notActive(token);
  if (isBased && change.version !== token.version) throw new StaleToken(token);
  return token;
}

function notActive({ id, state }: Pick<TokenRecord, 'id' | 'state'>): InvalidInput {
  return new InvalidInput('id', `Token ${id} is ${state}. Only an active token can be changed.`);
}

/** Stores the properties that differ, with their audit entry. If none does, nothing is written. */
async function store(
  { audit, database, table }: TokensParts,
  session: Session,
  token: TokenRecord,
  changed: Partial<TokenProperties>,
  { author, action }: { readonly author: Author; readonly action: 'token.changed' | 'token.extended' },
): Promise<TokenRecord> {
  const next = { ...token, ...changed, version: token.version + 1 };
  const differences = differencesOf(auditedProperties(token), auditedProperties(next));
  if (Object.keys(differences).length === 0) return token;
  const stored = await session.run((knex) =>
    knex(table)
      .where({ id: token.id })
      .whereRaw(filterSql('active', { database, table }))
      .update({
        ...storedProperties(next),
        version: next.version,
        // The panel is told of each end anew.
        ...(next.expiresAt === token.expiresAt ? {} : { told_days: null }),
      }),
  );
  // The row is locked, so only the time can have ended the token since it was read.
  if (stored === 0) throw notActive({ id: token.id, state: 'expired' });
  await audit.append(session, author, {
    at: token.readAt,
    action,
    tokenId: token.id,
    details: { name: token.name, ...differences },
  });
  return next;
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
