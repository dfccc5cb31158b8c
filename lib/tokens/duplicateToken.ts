import { InvalidInput } from '../errors/InvalidInput';
import {
  checkTokenChanges,
  LAST_SECOND,
  type TokenChanges,
  type TokenRequest,
  withinLife,
} from './checkTokenRequest';
import { type CreatedToken, type Creation, insertToken } from './createToken';
import { type Binding, selectTokens, type TokenRecord, tokenRecord } from './TokenRecord';

/** What a duplicate has other than the original. */
export interface DuplicationRequest
  extends Omit<TokenChanges, 'version'>,
    Pick<TokenRequest, 'idempotencyKey'> {}

/**
 * Creates a token like this one, within a transaction. Returns null if it does not exist. `binding` are the accounts that
 * the changes name, looked up.
 */
export async function duplicateToken(
  creation: Creation,
  id: number,
  { binding, ...changes }: DuplicationRequest & { readonly binding: Binding | undefined },
): Promise<CreatedToken | null> {
  const [row] = await creation.session.run(() => selectTokens(creation).where({ id }));
  if (!row) return null;
  const original = tokenRecord(row);
  const now = original.readAt;
  const changed = { ...checkTokenChanges(changes, creation, now), ...binding };
  const kept = () => withinLife(sameLifetime(original), creation.life, now);
  const expiresAt = changed.expiresAt === undefined ? kept() : changed.expiresAt;
  return insertToken(creation, { ...original, ...changed, expiresAt }, now, { duplicateOf: id });
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
