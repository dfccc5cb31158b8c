import type { Author } from '../audit/AuditLog';
import type { Session } from '../database/Session';
import { checkKeys, InvalidInput } from '../errors/InvalidInput';
import {
  checkIdempotencyKey,
  checkTokenChanges,
  LAST_SECOND,
  PROPERTIES,
  type TokenChanges,
  type TokenRequest,
  withinLife,
} from './checkTokenRequest';
import { type CreatedToken, createToken } from './createToken';
import { type Binding, type ChangeParts, selectTokens, type TokenRecord, tokenRecord } from './TokenRecord';

/** What a duplicate has other than the original. */
export interface DuplicationRequest
  extends Omit<TokenChanges, 'version'>,
    Pick<TokenRequest, 'idempotencyKey'> {}

/** Throws InvalidInput for an unknown property or an invalid key. */
export function checkDuplication(request: DuplicationRequest): {
  readonly changes: Omit<TokenChanges, 'version'>;
  readonly idempotencyKey: string | null;
} {
  checkKeys(request, 'A duplicate', [...PROPERTIES, 'idempotencyKey']);
  const { idempotencyKey: _, ...changes } = request;
  return { changes, idempotencyKey: checkIdempotencyKey(request) };
}

interface Duplication extends ReturnType<typeof checkDuplication> {
  readonly token: string;
  /** The accounts that the changes name, looked up. */
  readonly binding: Binding | undefined;
}

/** Creates a token like this one, within a transaction. Returns null if it does not exist. */
export async function duplicateToken(
  parts: ChangeParts,
  session: Session,
  id: number,
  { token, changes, binding, idempotencyKey }: Duplication,
  author: Author,
): Promise<CreatedToken | null> {
  const [row] = await session.run(() => selectTokens(parts).where({ id }));
  if (!row) return null;
  const original = tokenRecord(row);
  const now = original.readAt;
  const changed = { ...checkTokenChanges(changes, parts, now), ...binding };
  const kept = () => withinLife(sameLifetime(original), parts.life, now);
  const expiresAt = changed.expiresAt === undefined ? kept() : changed.expiresAt;
  return createToken(parts, session, { ...original, ...changed, expiresAt, idempotencyKey }, author, {
    token,
    now,
    duplicateOf: id,
  });
}

/** The expiry of a token that lives from now as long as this one did. */
function sameLifetime({ id, createdAt, expiresAt, rotatedAt, readAt }: TokenRecord): number | null {
  if (rotatedAt !== null)
    throw new InvalidInput(
      'expires',
      `Token ${id} was rotated, which ended it early: choose the expiry of the new token.`,
    );
  return expiresAt === null ? null : Math.min(readAt + (expiresAt - createdAt), LAST_SECOND);
}
