import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Author } from '../audit/AuditLog';
import { DatabaseFailure } from '../database/DatabaseFailure';
import { InvalidInput } from '../errors/InvalidInput';
import { LAST_SECOND } from '../time/time';
import { type CreationName, inTurn, requireRoom } from './accountBounds';
import { checkTokenChanges, withinLife } from './checkTokenRequest';
import { revokeToken } from './revokeTokens';
import {
  auditedProperties,
  type CreatedToken,
  DuplicateRequest,
  type DuplicationRequest,
  type TokenProperties,
  type TokenRecord,
} from './TokenRecord';
import { newToken, shownPrefix, tokenHash } from './tokenFormat';
import {
  type ChangeParts,
  selectTokens,
  storedProperties,
  type TokensParts,
  type TokenTransaction,
  tokenRecord,
} from './tokenRows';

interface CreationRequest {
  /** The transaction's name in the log. */
  readonly name: CreationName;
  readonly idempotencyKey: string | null;
  readonly author: Author;
}

/** A transaction that creates this token. */
export interface Creation extends ChangeParts, TokenTransaction, CreationRequest {
  readonly token: string;
}

/**
 * The stored form of an idempotency key. It is hashed because some collations treat different texts as equal. Each account
 * has keys of its own, also one that has the id of another one before it.
 */
function storedKey(idempotencyKey: string, { customer }: TokensParts): string {
  const { id, createdAt, username } = customer?.account ?? {};
  const key = customer ? [idempotencyKey, id, createdAt ?? username].join(' ') : idempotencyKey;
  return createHash('sha256').update(key).digest('hex');
}

/** The codes of a transaction that may have been committed, because it failed after its COMMIT may have been sent. */
const UNANSWERED: ReadonlySet<unknown> = new Set(['COMMIT_UNANSWERED', 'DEADLINE']);

const PAUSE_MS = 200;

/**
 * Creates a token in a transaction, with an idempotency key. Throws DuplicateRequest if that fails and a token was
 * already created with the same key; a unique column decides for all processes. If the answer to COMMIT is lost, the
 * caller never sees the token, so it is revoked. It is found by its hash, because a retry with the same key may have
 * created another one. If that fails too, rejects with a DatabaseFailure with the code COMMIT_UNKNOWN.
 */
export async function createToken<T extends CreatedToken | null>(
  parts: ChangeParts,
  request: CreationRequest,
  create: (creation: Creation) => Promise<T>,
): Promise<T> {
  const { name, idempotencyKey } = request;
  // Outside of the transaction, because missing randomness is no failure of the database.
  const token = newToken(parts.prefix);
  let created = null as T | null;
  const store = (database: TokensParts['database']) =>
    database.transaction(name, async (session) => {
      created = null;
      const creation = { ...parts, ...request, session, token };
      await requireRoom(creation, name);
      created = await create(creation);
      return created;
    });
  try {
    const { customer, database } = parts;
    const stored = await (customer ? inTurn(parts, customer, name, store) : store(database));
    if (stored) parts.tellCreated(stored.record);
    return stored;
  } catch (error) {
    const failure = error instanceof DatabaseFailure ? error : null;
    if (UNANSWERED.has(failure?.code) && created) await revokeUnseen(parts, token, request);
    // InvalidInput may be caused by the first request with this key: it may have rotated the token already.
    const mayBeDuplicate =
      error instanceof InvalidInput || (failure && parts.database.dialect.isDuplicate(failure));
    if (idempotencyKey === null || !mayBeDuplicate) throw error;
    const tokenId = await findId(parts, { request: storedKey(idempotencyKey, parts) });
    throw tokenId === null ? error : new DuplicateRequest(tokenId);
  }
}

/** Stores the new token and its audit entry. `now` is the time of its creation, `replaces` the token that it replaces. */
export async function insertToken(
  creation: Creation,
  properties: TokenProperties,
  now: number,
  replaces?: Pick<TokenRecord, 'id' | 'lineage' | 'origin'>,
): Promise<CreatedToken> {
  const { session, author, audit, tables, token, idempotencyKey } = creation;
  const hash = tokenHash(token);
  await session.run((knex) =>
    knex(tables.tokens).insert({
      ...storedProperties(properties),
      prefix: shownPrefix(token),
      hash,
      lineage: replaces?.lineage ?? null,
      request: idempotencyKey === null ? null : storedKey(idempotencyKey, creation),
      created_at: now,
      created_by: author.actor,
      origin: replaces ? replaces.origin : author.origin,
    }),
  );
  const [row] = await session.run(() => selectTokens(creation).where({ hash }));
  const record = tokenRecord(row);
  await audit.append(session, author, {
    at: record.createdAt,
    action: 'token.created',
    tokenId: record.id,
    details: { ...auditedProperties(record), ...(replaces ? { replaces: replaces.id } : {}) },
  });
  return { token, record };
}

/** The properties of a token like this one, with these changes, whose accounts are not looked up. Throws InvalidInput. */
export function duplicateOf(
  original: TokenRecord,
  changes: DuplicationRequest,
  rules: ChangeParts,
  now: number,
): TokenProperties {
  const { id, createdAt, expiresAt, rotatedAt } = original;
  const changed = checkTokenChanges(changes, rules, now);
  if (changed.expiresAt !== undefined) return { ...original, ...changed };
  if (rotatedAt !== null)
    throw new InvalidInput(
      'expires',
      `Token ${id} was rotated, which ended it early: choose the expiry of the new token.`,
    );
  const end = expiresAt === null ? null : Math.min(now + (expiresAt - createdAt), LAST_SECOND);
  return { ...original, ...changed, expiresAt: withinLife(end, rules.life, now) };
}

/** Revokes the token if it is stored now or within the time limit of one query. */
async function revokeUnseen(
  parts: TokensParts,
  token: string,
  { name, author }: CreationRequest,
): Promise<void> {
  const until = performance.now() + parts.database.deadlineMs;
  let answered = false;
  do {
    const revoked = await findId(parts, { hash: tokenHash(token) })
      .then(async (tokenId) => tokenId !== null && (await revokeToken(parts, tokenId, author)))
      .catch(() => undefined);
    if (revoked) return;
    answered = revoked !== undefined;
    await setTimeout(PAUSE_MS);
  } while (performance.now() < until);
  if (!answered) throw new DatabaseFailure(name, 'COMMIT_UNKNOWN');
}

async function findId({ database, tables }: TokensParts, by: object): Promise<number | null> {
  const [row] = await database.query('tokens.find', (knex) =>
    knex(tables.tokens).select({ id: 'id' }).where(by),
  );
  return row ? Number(row.id) : null;
}
