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

/** Replaces a token by a new one, within a transaction; null where there is none with this id. */
export async function rotateToken(
  parts: TokensParts,
  session: Session,
  id: number,
  { graceSeconds, requestId }: ReturnType<typeof checkRotation>,
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
  const rotated = await session.run((knex) =>
    knex(parts.table)
      .where({ id, rotated_at: null, revoked_at: null })
      .update({ rotated_at: now, expires_at: expiresAt }),
  );
  if (rotated === 0) throw new InvalidInput('id', `Token ${id} was rotated or revoked at the same moment.`);
  const created = await makeToken(parts, session, { ...old, requestId }, author, { now, replaces: old });
  await parts.audit.append(session, author, {
    at: now,
    action: 'token.rotated',
    tokenId: id,
    details: {
      name: old.name,
      account_id: old.accountId,
      replaced_by: created.record.id,
      grace_seconds: graceSeconds,
      expires_at: rfc3339OfSeconds(expiresAt),
    },
  });
  const [previous] = await session.run(() => selectTokens(parts).where({ id }));
  return { ...created, previous: tokenRecord(previous) };
}
