import type { Author } from '../audit/AuditLog';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { rfc3339OfSeconds } from '../time/rfc3339';
import type { checkRotation } from './checkRotation';
import { type CreatedToken, makeToken } from './makeToken';
import { selectTokens } from './selectTokens';
import { type TokenRecord, tokenRecord } from './TokenRecord';
import type { TokensParts } from './TokensParts';

export interface RotatedToken extends CreatedToken {
  /** The old token, with the expiry that it has now. */
  readonly previous: TokenRecord;
}

type Rotation = ReturnType<typeof checkRotation>;

/** Replaces a token by a new one, within a transaction; null where there is none with this id. */
export async function rotateToken(
  parts: TokensParts,
  session: Session,
  id: number,
  rotation: Rotation,
  author: Author,
): Promise<RotatedToken | null> {
  const rotated = await createSuccessor(parts, session, id, rotation, author);
  if (rotated) await endPredecessor(parts, session, rotated, rotation, author);
  return rotated;
}

/** Creates the token that replaces another, within a transaction; `previous` is the other as it will be once ended. */
export async function createSuccessor(
  parts: TokensParts,
  session: Session,
  id: number,
  { graceSeconds, requestId }: Rotation,
  author: Author,
): Promise<RotatedToken | null> {
  // Of two at once, one waits here until the other is through.
  const [row] = await session.run(() => selectTokens(parts).where({ id }).forUpdate());
  if (!row) return null;
  const old = tokenRecord(row);
  if (old.rotatedAt !== null) throw new InvalidInput('id', `Token ${id} was rotated already.`);
  if (old.state !== 'active')
    throw new InvalidInput('id', `Token ${id} is ${old.state}: only an active token is rotated.`);
  const now = old.readAt;
  const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + graceSeconds);
  const created = await makeToken(parts, session, { ...old, requestId }, author, { now, replaces: old });
  const state = now < expiresAt ? 'active' : 'expired';
  return { ...created, previous: { ...old, rotatedAt: now, expiresAt, state } };
}

/** Ends the token that was replaced, within a transaction, as `previous` says. */
export async function endPredecessor(
  parts: TokensParts,
  session: Session,
  { record, previous }: Pick<RotatedToken, 'record' | 'previous'>,
  { graceSeconds }: Pick<Rotation, 'graceSeconds'>,
  author: Author,
): Promise<void> {
  const { id, name, accountId, rotatedAt, expiresAt } = previous;
  const successor = selectTokens(parts).where({ id: record.id, revoked_at: null }).forUpdate();
  const [lives] = await session.run(() => successor);
  if (!lives)
    throw new InvalidInput('id', `Token ${record.id}, which replaces it, was revoked at the same moment.`);
  const ended = await session.run((knex) =>
    knex(parts.table)
      .where({ id, rotated_at: null, revoked_at: null })
      .update({ rotated_at: rotatedAt, expires_at: expiresAt }),
  );
  if (ended === 0) throw new InvalidInput('id', `Token ${id} was rotated or revoked at the same moment.`);
  await parts.audit.append(session, author, {
    at: record.createdAt,
    action: 'token.rotated',
    tokenId: id,
    details: {
      name,
      account_id: accountId,
      replaced_by: record.id,
      grace_seconds: graceSeconds,
      expires_at: rfc3339OfSeconds(expiresAt),
    },
  });
}
