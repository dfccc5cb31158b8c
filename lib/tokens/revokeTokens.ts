import type { Author } from '../audit/AuditLog';
import { shownToken } from './accountBounds';
import { identifyingProperties, type TokenRecord } from './TokenRecord';
import {
  lockToken,
  selectTokens,
  type TokensParts,
  type TokenTransaction,
  tokenRecord,
  whereBoundTo,
} from './tokenRows';

/**
 * Revokes tokens within a transaction, each with its audit entry. Returns their records, or none if all are revoked
 * already. Of several ids, the rows must be locked, and none of them revoked.
 */
async function revokeTokens(transaction: TokenTransaction, ids: readonly number[]) {
  const { session, author, database, audit, tables } = transaction;
  const revoked = await session.run((knex) =>
    knex(tables.tokens)
      .whereIn('id', ids)
      .whereNull('revoked_at')
      .update({ revoked_at: knex.raw(database.dialect.now), revoked_by: author.actor }),
  );
  if (revoked === 0) return [];
  const rows = await session.run(() => selectTokens(transaction).whereIn('id', ids).orderBy('id', 'desc'));
  const records = rows.map(tokenRecord);
  for (const record of records) {
    await audit.append(session, author, {
      at: Number(record.revokedAt),
      action: 'token.revoked',
      tokenId: record.id,
      details: identifyingProperties(record),
    });
  }
  return records;
}

/** Revokes a token in a transaction, unless it is revoked already. Returns null if its account may not revoke it. */
export async function revokeToken(parts: TokensParts, id: number, author: Author) {
  return parts.database.transaction('tokens.revoke', async (session) => {
    const transaction = { ...parts, session, author };
    if (parts.customer) {
      const token = await lockToken(transaction, id);
      if (!token || !shownToken(token, parts.customer)?.isRevocable) return null;
    }
    return revokeTokens(transaction, [id]);
  });
}

/** Revokes all tokens that are bound to this account and not revoked, in one transaction. Returns their records. */
export async function revokeAllOf(
  parts: TokensParts,
  accountId: string,
  author: Author,
): Promise<readonly TokenRecord[]> {
  const { database, tables } = parts;
  const idsOf = (rows: readonly { readonly id: unknown }[]) => rows.map(({ id }) => Number(id));
  // It may read every token. Within the transaction, that would lock all of them on MariaDB.
  const found = await database.inSlotsOf('tokens').query('tokens.revokeAllOf', (knex) => {
    return whereBoundTo(knex(tables.tokens).select({ id: 'id' }).whereNull('revoked_at'), accountId);
  });
  return database.transaction('tokens.revokeAllOf', async (session) => {
    const locked = await session.run((knex) =>
      knex(tables.tokens)
        .select({ id: 'id' })
        .whereIn('id', idsOf(found))
        .whereNull('revoked_at')
        .orderBy('id')
        .forUpdate(),
    );
    return revokeTokens({ ...parts, session, author }, idsOf(locked));
  });
}
