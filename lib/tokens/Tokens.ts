import type { Knex } from 'knex';
import { type Author, checkAuthor } from '../audit/AuditLog';
import { isTokenId } from '../database/tokenId';
import { checkTokenRequest, type TokenRequest } from './checkTokenRequest';
import { type CreatedToken, createIdempotent, createToken } from './createToken';
import {
  checkRotation,
  createSuccessor,
  endPredecessor,
  type RotatedToken,
  type RotationRequest,
  rotateToken,
} from './rotateToken';
import { selectTokens, type TokenRecord, type TokensParts, tokenRecord } from './TokenRecord';
import { readPage, type TokenPage, type TokenPageQuery } from './tokenPages';
import { countStates, countWarnings } from './tokenWarnings';

/**
 * Creates, lists, rotates and revokes the API's tokens. Every change is written in one transaction with its audit
 * entry.
 */
export class Tokens {
  readonly #parts: TokensParts;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /**
   * Creates a token. Throws InvalidInput for an empty name, an unknown scope, an invalid account or address, a rate
   * limit out of bounds or an expiry that is not in the future, and DuplicateRequest if a token was already created
   * with this `idempotencyKey`.
   */
  async create(request: TokenRequest, author: Author): Promise<CreatedToken> {
    checkAuthor(author);
    const { migrations, scopes } = this.#parts;
    await migrations.ready();
    const now = await this.#now();
    const checked = checkTokenRequest(request, scopes, now);
    return createIdempotent(this.#parts, {
      name: 'tokens.create',
      idempotencyKey: checked.idempotencyKey,
      create: (session) => createToken(this.#parts, session, checked, author, { now }),
      revoke: (id) => this.revoke(id, author),
    });
  }

  /**
   * Creates a new token that replaces this one, with the same name, scopes, account, addresses, limit, lineage and
   * expiry. The old token stays active for `graceSeconds`, but never beyond its own expiry. Returns null if the token
   * does not exist. Throws InvalidInput if it is not active, if it was already rotated, or if the grace is out of
   * bounds, and DuplicateRequest if a token was already created with this `idempotencyKey`.
   */
  async rotate(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#rotate(rotateToken, id, request, author);
  }

  /**
   * Creates the new token of a rotation and leaves the old one unchanged until `endRotation` is called with the result.
   * For callers that must show the new token before the old one expires. Otherwise like `rotate`.
   */
  async beginRotation(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#rotate(createSuccessor, id, request, author);
  }

  /**
   * Completes a rotation that `beginRotation` began: sets the old token's expiry. Throws InvalidInput if the old token
   * was rotated or revoked in the meantime, or the new one revoked.
   */
  async endRotation(rotated: RotatedToken, request: RotationRequest, author: Author): Promise<void> {
    checkAuthor(author);
    const checked = checkRotation(request);
    await this.#parts.database.transaction('tokens.rotate', (session) =>
      endPredecessor(this.#parts, session, rotated, checked, author),
    );
  }

  async #rotate(
    step: typeof rotateToken,
    id: number,
    request: RotationRequest,
    author: Author,
  ): Promise<RotatedToken | null> {
    checkAuthor(author);
    const checked = checkRotation(request);
    if (!isTokenId(id)) return null;
    await this.#parts.migrations.ready();
    return createIdempotent(this.#parts, {
      name: 'tokens.rotate',
      idempotencyKey: checked.idempotencyKey,
      create: (session) => step(this.#parts, session, id, checked, author),
      revoke: (tokenId) => this.revoke(tokenId, author),
    });
  }

  /**
   * Revokes a token permanently. Returns its record, or null if the token does not exist. If it is already revoked,
   * nothing changes and no audit entry is written.
   */
  async revoke(id: number, author: Author): Promise<TokenRecord | null> {
    checkAuthor(author);
    if (!isTokenId(id)) return null;
    const { database, migrations, audit, table } = this.#parts;
    await migrations.ready();
    await database.transaction('tokens.revoke', async (session) => {
      const revoked = await session.run((knex) =>
        knex(table)
          .where({ id, revoked_at: null })
          .update({ revoked_at: knex.raw(database.dialect.now), revoked_by: author.actor }),
      );
      if (revoked === 0) return;
      const [row] = await session.run(() => selectTokens(this.#parts).where({ id }));
      const { name, accountId, revokedAt } = tokenRecord(row);
      await audit.append(session, author, {
        at: Number(revokedAt),
        action: 'token.revoked',
        tokenId: id,
        details: { name, account_id: accountId },
      });
    });
    return this.get(id);
  }

  /** Returns all tokens, newest first. */
  async list(): Promise<readonly TokenRecord[]> {
    return this.#read('tokens.list', (tokens) => tokens.orderBy('id', 'desc'));
  }

  /**
   * Returns a page of the tokens: first those that never expire, newest first; then the others, latest expiry first;
   * then the revoked ones, last revoked first. A page takes milliseconds, however many tokens there are; a search may
   * read all of them. Throws InvalidInput for an invalid limit, cursor or search.
   */
  async page(query: TokenPageQuery = {}): Promise<TokenPage> {
    await this.#parts.migrations.ready();
    return readPage(this.#parts, query);
  }

  /**
   * Returns this token with all tokens before and after it in its line of rotations, newest first; none if it does not
   * exist.
   */
  async lineage(id: number): Promise<readonly TokenRecord[]> {
    const lineage = (await this.get(id))?.lineage;
    if (lineage === undefined) return [];
    return this.#read('tokens.lineage', (tokens) =>
      tokens.where({ id: lineage }).orWhere({ lineage }).orderBy('id', 'desc'),
    );
  }

  /** Returns the token, or null if it does not exist. */
  async get(id: number): Promise<TokenRecord | null> {
    if (!isTokenId(id)) return null;
    const [token = null] = await this.#read('tokens.get', (tokens) => tokens.where({ id }));
    return token;
  }

  /** Returns the number of tokens in each state. */
  async countStates(): ReturnType<typeof countStates> {
    return countStates(this.#parts);
  }

  /** Returns the number of active tokens that an administrator should review, by the reason. */
  async countWarnings(): ReturnType<typeof countWarnings> {
    return countWarnings(this.#parts);
  }

  async #read(
    name: string,
    narrow: (tokens: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<readonly TokenRecord[]> {
    const { database, migrations } = this.#parts;
    await migrations.ready();
    const rows = await database.query(name, () => narrow(selectTokens(this.#parts)));
    return rows.map(tokenRecord);
  }

  async #now(): Promise<number> {
    const { database } = this.#parts;
    const [row] = await database.rows('clock', `SELECT ${database.dialect.now} AS clock`);
    return Number(row?.clock);
  }
}
