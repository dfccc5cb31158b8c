import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import { DAY_SECONDS, rfc3339OfSeconds } from '../time/time';
import { shownToAuthor } from './accountBounds';
import { changeActive } from './changeToken';
import { checkIdempotencyKey, checkNewExpiry, withinLife } from './checkTokenRequest';
import { type Creation, insertToken } from './createToken';
import { identifyingProperties, type RotatedToken, type RotationRequest } from './TokenRecord';
import type { TokensParts } from './tokenRows';

/**
 * Creates the token that replaces this one, and ends this one after the grace, within a transaction. Returns null if it
 * does not exist.
 */
export async function rotateToken(
  creation: Creation,
  id: number,
  { graceSeconds, expiry }: ReturnType<typeof checkRotation>,
): Promise<RotatedToken | null> {
  const { session, author, audit, tables } = creation;
  return changeActive(creation, id, 'rotated', async (old) => {
    if (old.rotatedAt !== null) throw new InvalidInput('id', `Token ${id} was already rotated.`);
    const now = old.readAt;
    const chosen = checkNewExpiry(expiry, creation, now);
    const end = chosen === undefined ? withinLife(old.expiresAt, creation.life, now) : chosen;
    const created = await insertToken(creation, { ...old, expiresAt: end }, now, old);
    const expiresAt = Math.min(old.expiresAt ?? Number.POSITIVE_INFINITY, now + graceSeconds);
    const version = old.version + 1;
    await session.run((knex) =>
      knex(tables.tokens).where({ id }).update({ rotated_at: now, expires_at: expiresAt, version }),
    );
    await audit.append(session, author, {
      at: now,
      action: 'token.rotated',
      tokenId: id,
      details: {
        ...identifyingProperties(old),
        replaced_by: created.record.id,
        grace_seconds: graceSeconds,
        expires_at: rfc3339OfSeconds(expiresAt),
      },
    });
    return { ...created, previous: { ...old, rotatedAt: now, expiresAt, version } };
  });
}

/** The tokens of a rotation as its author may see them. */
export function shownRotation({ token, record, previous }: RotatedToken, parts: TokensParts): RotatedToken {
  return { token, record: shownToAuthor(record, parts), previous: shownToAuthor(previous, parts) };
}

// A client must have time to get the new token, also if it is not shown at once.
const SHORTEST_GRACE = 300;
const LONGEST_GRACE = 30 * DAY_SECONDS;

/** Throws InvalidInput that names the invalid property. The expiry is checked when the database's clock is known. */
export function checkRotation(request: RotationRequest) {
  const known = ['graceSeconds', 'expiresAt', 'expiresInSeconds', 'idempotencyKey'];
  const given = checkKeys(request, 'A rotation', known);
  const { graceSeconds } = given;
  if (!Number.isSafeInteger(graceSeconds) || graceSeconds < SHORTEST_GRACE || graceSeconds > LONGEST_GRACE)
    throw new InvalidInput(
      'graceSeconds',
      'The grace period must be from 5 minutes (300 seconds) to 30 days (2592000 seconds). To end a token at once, revoke it.',
    );
  return { graceSeconds, idempotencyKey: checkIdempotencyKey(given), expiry: given };
}
