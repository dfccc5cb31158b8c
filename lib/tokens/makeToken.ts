import { createHash } from 'node:crypto';
import type { Author } from '../audit/AuditLog';
import type { Session } from '../database/Session';
import { rfc3339OfSeconds } from '../time/rfc3339';
import type { CheckedTokenRequest } from './checkTokenRequest';
import { selectTokens } from './selectTokens';
import { type TokenRecord, tokenRecord } from './TokenRecord';
import type { TokensParts } from './TokensParts';
import { newToken, shownPrefix, tokenHash } from './tokenFormat';

export interface CreatedToken {
  /** The plain token: it exists here once and is stored nowhere. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** What the new token takes the place of, if anything. */
export interface Descent {
  readonly now: number;
  readonly replaces?: Pick<TokenRecord, 'id' | 'lineage'>;
}

/** Writes a new token and its audit entry, within a transaction. */
export async function makeToken(
  parts: TokensParts,
  session: Session,
  request: CheckedTokenRequest,
  author: Author,
  { now, replaces }: Descent,
): Promise<CreatedToken> {
  const { audit, table, prefix } = parts;
  const token = newToken(prefix);
  const hash = tokenHash(token);
  await session.run((knex) =>
    knex(table).insert({
      name: request.name,
      prefix: shownPrefix(token),
      hash,
      scopes: request.scopes.join(' '),
      account_id: request.accountId,
      allowed_addresses: request.allowedAddresses.length === 0 ? null : request.allowedAddresses.join(' '),
      rate_limit: request.rateLimit,
      lineage: replaces?.lineage ?? null,
      request: request.requestId === null ? null : requestKey(request.requestId),
      created_at: now,
      created_by: author.actor,
      expires_at: request.expiresAt,
    }),
  );
  const [row] = await session.run(() => selectTokens(parts).where({ hash }));
  const record = tokenRecord(row);
  await audit.append(session, author, {
    at: record.createdAt,
    action: 'token.created',
    tokenId: record.id,
    details: {
      name: record.name,
      scopes: record.scopes,
      account_id: record.accountId,
      allowed_addresses: record.allowedAddresses,
      rate_limit: record.rateLimit,
      expires_at: rfc3339OfSeconds(record.expiresAt),
      ...(replaces ? { replaces: replaces.id } : {}),
    },
  });
  return { token, record };
}

/** How the id of a request is kept: some collations take texts that differ for one. */
export function requestKey(requestId: string): string {
  return createHash('sha256').update(requestId).digest('hex');
}
