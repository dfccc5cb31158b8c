import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Author } from '../audit/AuditLog';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { rfc3339OfSeconds } from '../time/time';
import type { CheckedTokenRequest } from './checkTokenRequest';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord } from './TokenRecord';
import { newToken, shownPrefix, tokenHash } from './tokenFormat';

export interface CreatedToken {
  /** The plain token: it exists here once and is stored nowhere. */
  readonly token: string;
  readonly record: TokenRecord;
}

/** What the new token takes the place of, if anything. */
interface Descent {
  readonly now: number;
  readonly replaces?: Pick<TokenRecord, 'id' | 'lineage'>;
}

/** Writes a new token and its audit entry, within a transaction. */
export async function createToken(
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
      request: request.idempotencyKey === null ? null : requestKey(request.idempotencyKey),
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
function requestKey(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex');
}

/** What the databases call a value that is in a unique column already. */
const TAKEN = new Set(['ER_DUP_ENTRY', '23505', 'SQLITE_CONSTRAINT_UNIQUE']);

/** The codes of a transaction that may have been committed all the same, if its COMMIT was sent. */
const UNANSWERED = new Set(['COMMIT_UNANSWERED', 'DEADLINE']);

const PAUSE_MS = 200;

interface Creation<T> {
  /** The name of the transaction. */
  readonly name: string;
  readonly idempotencyKey: string | null;
  readonly make: (session: Session) => Promise<T>;
  readonly revoke: (tokenId: number) => Promise<unknown>;
}

/**
 * Creates a token in a transaction, under the id of a request. Throws DuplicateRequest when it cannot, and the same request
 * has created one before: the unique column decides, for all processes.
 * If the answer to COMMIT is lost, the caller never sees the token: it is looked for by its hash, because the same
 * request may have created another one since, and revoked. If the look fails too, the DatabaseFailure has the code
 * COMMIT_UNKNOWN.
 */
export async function createIdempotent<T extends CreatedToken | null>(
  parts: TokensParts,
  creation: Creation<T>,
): Promise<T> {
  const { name, idempotencyKey, make } = creation;
  let made: T | null = null;
  try {
    return await parts.database.transaction(name, async (session) => {
      made = null;
      made = await make(session);
      return made;
    });
  } catch (error) {
    const code = error instanceof DatabaseFailure ? error.code : null;
    const unseen = made as CreatedToken | null;
    if (code !== null && UNANSWERED.has(code) && unseen) await revokeUnseen(parts, unseen, creation);
    // A token that was rotated by the same request cannot be rotated again, for one.
    const explained = error instanceof InvalidInput || (code !== null && TAKEN.has(code));
    if (idempotencyKey === null || !explained) throw error;
    const tokenId = await findId(parts, { request: requestKey(idempotencyKey) });
    throw tokenId === null ? error : new DuplicateRequest(tokenId);
  }
}

/** Revokes the token if it is there, or comes to be there within the time of one query. */
async function revokeUnseen(
  parts: TokensParts,
  { token }: CreatedToken,
  { name, revoke }: Creation<unknown>,
): Promise<void> {
  const until = performance.now() + parts.database.deadlineMs;
  let answered = false;
  do {
    const revoked = await findId(parts, { hash: tokenHash(token) })
      .then(async (tokenId) => tokenId !== null && (await revoke(tokenId)))
      .catch(() => undefined);
    if (revoked) return;
    answered = revoked !== undefined;
    await setTimeout(PAUSE_MS);
  } while (performance.now() < until);
  if (!answered) throw new DatabaseFailure(name, 'COMMIT_UNKNOWN');
}

async function findId({ database, table }: TokensParts, by: object): Promise<number | null> {
  const [row] = await database.query('tokens.find', (knex) => knex(table).select({ id: 'id' }).where(by));
  return row ? Number(row.id) : null;
}

/** The same request was made before, and made a token then: there is one token, and it is not shown again. */
export class DuplicateRequest extends InvalidInput {
  /** The token that the request made. */
  readonly tokenId: number;

  constructor(tokenId: number) {
    super('idempotencyKey', `This request already created token ${tokenId}; a token is shown only once.`);
    this.name = 'DuplicateRequest';
    this.tokenId = tokenId;
  }
}
