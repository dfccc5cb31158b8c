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

/** The module's tokens: administrators create, list, rotate and revoke them. */
export class Tokens {
  readonly #parts: TokensParts;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /**
   * Creates a token, in one transaction with its audit entry. Throws InvalidInput for an empty name, an unknown scope, an
   * account that is no key, an invalid address, a rate limit out of bounds or an expiry that is not in the future, and
   * DuplicateRequest if a token was created under the same `idempotencyKey`.
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
   * Replaces a token by a new one of the same name, scopes, account, addresses, limit, lineage and expiry, in one
   * transaction with the audit entries of both. The old one stays active for `graceSeconds`, but never beyond its own
   * expiry. Returns null if there is none with this id. Throws InvalidInput for a token that is not active or was rotated
   * already and for a grace out of bounds, and DuplicateRequest if a token was created under the same `idempotencyKey`.
   */
  async rotate(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#rotate(rotateToken, id, request, author);
  }

  /**
   * The first half of a rotation, for a caller who must show the new token before the old one may end: creates the new
   * one and does not change the old one. `endRotation` with the result is the second half. Otherwise like `rotate`.
   */
  async beginRotation(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#rotate(createSuccessor, id, request, author);
  }

  /**
   * Ends the old token of a rotation that was begun, in one transaction with its audit entry. Throws InvalidInput if
   * it was rotated or revoked in the meantime.
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
   * Revokes a token for good, in one transaction with its audit entry. Returns its record, or null if there is none with
   * this id. A token that is revoked already does not change, and there is no second entry.
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

  /** Returns all tokens, the newest first. */
  async list(): Promise<readonly TokenRecord[]> {
    return this.#read('tokens.list', (tokens) => tokens.orderBy('id', 'desc'));
  }

  /**
   * Returns a page of the tokens: those that never expire, the newest first, then the others by their expiry, the latest
   * first, then the revoked ones, the last revoked first. It takes milliseconds however many tokens there are; a search
   * may read them all. Throws InvalidInput for a wrong limit, cursor or search.
   */
  async page(query: TokenPageQuery = {}): Promise<TokenPage> {
    await this.#parts.migrations.ready();
    return readPage(this.#parts, query);
  }

  /** Returns the token with this id and all before and after it in its line of rotations, the newest first. */
  async lineage(id: number): Promise<readonly TokenRecord[]> {
    const lineage = (await this.get(id))?.lineage;
    if (lineage === undefined) return [];
    return this.#read('tokens.lineage', (tokens) =>
      tokens.where({ id: lineage }).orWhere({ lineage }).orderBy('id', 'desc'),
    );
  }

  /** Returns one token, or null if there is none with this id. */
  async get(id: number): Promise<TokenRecord | null> {
    if (!isTokenId(id)) return null;
    const [token = null] = await this.#read('tokens.get', (tokens) => tokens.where({ id }));
    return token;
  }

  /** Counts the tokens in each state. */
  async countStates(): ReturnType<typeof countStates> {
    return countStates(this.#parts);
  }

  /** Counts the active tokens that an administrator should look at, by the reason. */
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
