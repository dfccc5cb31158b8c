import type { Author } from '../audit/AuditLog';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import { DAY_SECONDS, rfc3339OfSeconds } from '../time/time';
import { changeActive } from './changeToken';
import { checkIdempotencyKey, checkNewExpiry, type Expiry, withinLife } from './checkTokenRequest';
import { type CreatedToken, type Creation, insertToken, isUnanswered } from './createToken';
import {
  identifyingProperties,
  selectTokens,
  type TokenRecord,
  type TokensParts,
  type TokenTransaction,
} from './TokenRecord';

/** The new token of a rotation, which is shown only once. */
export interface RotatedToken extends CreatedToken {
  /** The old token's record, with its new expiry. */
  readonly previous: TokenRecord;
}

type Rotation = ReturnType<typeof checkRotation>;

/**
 * Creates the token that replaces this one, within a transaction. Returns null if it does not exist. `previous` is the
 * old token as it will be after the rotation.
 */
export async function createSuccessor(
  creation: Creation,
  id: number,
  { graceSeconds, expiry }: Rotation,
): Promise<RotatedToken | null> {
  return changeActive(creation, id, 'rotated', async (old) => {
    if (old.rotatedAt !== null) throw new InvalidInput('id', `Token ${id} was already rotated.`);
    const now = old.readAt;
    const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + graceSeconds);
    const chosen = checkNewExpiry(expiry, creation, now);
    const end = chosen === undefined ? withinLife(old.expiresAt, creation.life, now) : chosen;
    const created = await insertToken(creation, { ...old, expiresAt: end }, now, { replaces: old });
    const state = now < expiresAt ? 'active' : 'expired';
    const version = old.version + 1;
    return { ...created, previous: { ...old, rotatedAt: now, expiresAt, state, version } };
  });
}

/**
 * Ends the old token as `previous` says, in a transaction, unless this rotation has ended it already. If the answer to
 * COMMIT is lost, it is done again. If that fails too, rejects with a DatabaseFailure with the code COMMIT_UNKNOWN.
 */
export async function endPrevious(
  parts: TokensParts,
  rotated: RotatedToken,
  request: Pick<Rotation, 'graceSeconds'>,
  author: Author,
): Promise<void> {
  const { database, audit } = parts;
  const end = async () => {
    try {
      await database.transaction('tokens.rotate', (session) =>
        endPredecessor({ ...parts, session, author }, rotated, request),
      );
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      const [entry] = await audit.list({ tokenId: rotated.previous.id, action: 'token.rotated', limit: 1 });
      if (entry?.details.replaced_by !== rotated.record.id) throw error;
    }
  };
  await end().catch(async (error) => {
    if (!isUnanswered(error)) throw error;
    await end().catch((again) => {
      throw again instanceof InvalidInput ? again : new DatabaseFailure('tokens.rotate', 'COMMIT_UNKNOWN');
    });
  });
}

// The expiry becomes no later, so a token that has expired in the meantime stays expired.
async function endPredecessor(
  transaction: TokenTransaction,
  { record, previous }: Pick<RotatedToken, 'record' | 'previous'>,
  { graceSeconds }: Pick<Rotation, 'graceSeconds'>,
): Promise<void> {
  const { session, author, audit, tables } = transaction;
  const { id, rotatedAt, expiresAt, version } = previous;
  const [successor] = await session.run(() =>
    selectTokens(transaction).where({ id: record.id, revoked_at: null }).forUpdate(),
  );
  if (!successor)
    throw new InvalidInput(
      'id',
      `Token ${record.id}, the replacement for token ${id}, was revoked in the meantime.`,
    );
  const ended = await session.run((knex) =>
    knex(tables.tokens)
      .where({ id, rotated_at: null, revoked_at: null, version: version - 1 })
      .update({ rotated_at: rotatedAt, expires_at: expiresAt, version }),
  );
  if (ended === 0)
    throw new InvalidInput('id', `Token ${id} was changed, rotated or revoked in the meantime.`);
  await audit.append(session, author, {
    at: record.createdAt,
    action: 'token.rotated',
    tokenId: id,
    details: {
      ...identifyingProperties(previous),
      replaced_by: record.id,
      grace_seconds: graceSeconds,
      expires_at: rfc3339OfSeconds(expiresAt),
    },
  });
}

const LONGEST_GRACE = 30 * DAY_SECONDS;

/** How to rotate a token. Without an expiry, the new token expires when the old one would have. */
export interface RotationRequest extends Expiry {
  /** How long the old token stays active, in seconds: 0 (it expires at once) to 2,592,000 (30 days). */
  readonly graceSeconds: number;
  /** As in TokenRequest. */
  readonly idempotencyKey?: string;
}

/** Throws InvalidInput that names the invalid property. The expiry is checked when the database's clock is known. */
export function checkRotation(request: RotationRequest) {
  checkKeys(request, 'A rotation', ['graceSeconds', 'expiresAt', 'expiresInSeconds', 'idempotencyKey']);
  const { graceSeconds, idempotencyKey: _, ...expiry } = request;
  if (!Number.isSafeInteger(graceSeconds) || !(graceSeconds >= 0 && graceSeconds <= LONGEST_GRACE))
    throw new InvalidInput(
      'graceSeconds',
      `The grace period must be a whole number of seconds from 0 to ${LONGEST_GRACE}.`,
    );
  return { graceSeconds, idempotencyKey: checkIdempotencyKey(request), expiry };
}
