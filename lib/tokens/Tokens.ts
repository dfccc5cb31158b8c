import { type Author, checkAuthor, isTokenId } from '../audit/AuditLog';
import { checkTokenRequest, type TokenRequest } from './checkTokenRequest';
import { type CreatedToken, createIdempotent, createToken } from './createToken';
import { readPage, type TokenPage, type TokenPageQuery } from './pages';
import {
  checkRotation,
  createSuccessor,
  endPredecessor,
  type RotatedToken,
  type RotationRequest,
  rotateToken,
} from './rotateToken';
import {
  countStates,
  countWarnings,
  selectTokens,
  type TokenRecord,
  type TokensParts,
  tokenRecord,
} from './TokenRecord';

/** The module's tokens: made, listed and revoked by administrators. */
export class Tokens {
  readonly #parts: TokensParts;

  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /**
   * Makes a token, in one transaction with its audit entry.
   * Throws InvalidInput for an empty name, an unknown scope, an account that is no key, an address that is none, a rate
   * limit out of bounds or an expiry that is not in the future, and DuplicateRequest for an `idempotencyKey` that made a token.
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
      make: (session) => createToken(this.#parts, session, checked, author, { now }),
      revoke: (id) => this.revoke(id, author),
    });
  }

  /**
   * Replaces a token by a new one of the same name, scopes, account, addresses, limit, lineage and expiry, in one
   * transaction with the audit entries of both. The old one is good for `graceSeconds` more, and never longer than it
   * was to be. Gives null when there is none with this id.
   * Throws InvalidInput for a token that is not active or was rotated already and for a grace out of bounds, and
   * DuplicateRequest for an `idempotencyKey` that made a token.
   */
  async rotate(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#succeed(rotateToken, id, request, author);
  }

  /**
   * The first half of a rotation, for a caller who must show the new token before the old one may end: creates the new
   * one and leaves the old one as it is. `endRotation` with the result is the second half. Otherwise like `rotate`.
   */
  async beginRotation(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    return this.#succeed(createSuccessor, id, request, author);
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

  async #succeed(
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
      make: (session) => step(this.#parts, session, id, checked, author),
      revoke: (tokenId) => this.revoke(tokenId, author),
    });
  }

  /**
   * Revokes a token for good, in one transaction with its audit entry. Gives its record, or null when there is none
   * with this id; a token that is revoked already stays as it is, without a second entry.
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
      const [row] = await session.run(() => this.#select().where({ id }));
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

  /** All tokens, the newest first. */
  async list(): Promise<readonly TokenRecord[]> {
    await this.#parts.migrations.ready();
    const rows = await this.#parts.database.query('tokens.list', () => this.#select().orderBy('id', 'desc'));
    return rows.map(tokenRecord);
  }

  /**
   * A page of the tokens: those that never expire, the newest first, then the others by their expiry, the latest first,
   * then the revoked ones, the last revoked first. It takes milliseconds however many tokens there are, but for a
   * search, which may look at them all. Throws InvalidInput for a wrong limit, cursor or search.
   */
  async page(query: TokenPageQuery = {}): Promise<TokenPage> {
    await this.#parts.migrations.ready();
    return readPage(this.#parts, query);
  }

  /** The token with this id and all that it replaced or was replaced by, the newest first; none where there is none. */
  async lineage(id: number): Promise<readonly TokenRecord[]> {
    const lineage = (await this.get(id))?.lineage;
    if (lineage === undefined) return [];
    const rows = await this.#parts.database.query('tokens.lineage', () =>
      this.#select().where({ id: lineage }).orWhere({ lineage }).orderBy('id', 'desc'),
    );
    return rows.map(tokenRecord);
  }

  /** One token, or null when there is none with this id. */
  async get(id: number): Promise<TokenRecord | null> {
    if (!isTokenId(id)) return null;
    await this.#parts.migrations.ready();
    const [row] = await this.#parts.database.query('tokens.get', () => this.#select().where({ id }));
    return row ? tokenRecord(row) : null;
  }

  /** How many tokens there are in each state. */
  async countStates(): ReturnType<typeof countStates> {
    return countStates(this.#parts);
  }

  /** How many active tokens an administrator should look at, and why. */
  async countWarnings(): ReturnType<typeof countWarnings> {
    return countWarnings(this.#parts);
  }

  #select() {
    return selectTokens(this.#parts);
  }

  async #now(): Promise<number> {
    const { database } = this.#parts;
    const [row] = await database.rows('clock', `SELECT ${database.dialect.now} AS clock`);
    return Number(row?.clock);
  }
}
