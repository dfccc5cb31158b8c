import type { Knex } from 'knex';
import { type Author, checkAuthor } from '../audit/AuditLog';
import { checkKeys, InvalidInput, isTokenId } from '../errors/InvalidInput';
import { type Change, changeToken, extendedExpiry } from './changeToken';
import { checkAccountId, checkBinding } from './checkBinding';
import {
  checkIdempotencyKey,
  checkTokenChanges,
  checkTokenRequest,
  copyRequest,
  PROPERTIES,
} from './checkTokenRequest';
import { createToken, duplicateOf, insertToken } from './createToken';
import { findTokens } from './findTokens';
import { revokeAllOf, revokeToken } from './revokeTokens';
import { checkRotation, rotateToken } from './rotateToken';
import type {
  Binding,
  CreatedToken,
  DuplicationRequest,
  RotatedToken,
  RotationRequest,
  TokenChanges,
  TokenExtension,
  TokenProperties,
  TokenRecord,
  TokenRequest,
} from './TokenRecord';
import { countByFilter, countGroups, readAttention } from './tokenFilters';
import { readPage } from './tokenPages';
import type { TokenAttention, TokenFilter, TokenNarrowing, TokenPage, TokenPageQuery } from './tokenQueries';
import { type ChangeParts, selectTokens, type TokensParts, tokenRecord } from './tokenRows';

/**
 * Creates, lists, changes, rotates and revokes the API's tokens. Every change is written in one transaction with its audit
 * entry.
 */
export class Tokens {
  readonly #parts: TokensParts;

  /** @internal */
  constructor(parts: TokensParts) {
    this.#parts = parts;
  }

  /**
   * Creates a token. Throws InvalidInput if a property is invalid, and DuplicateRequest if a token was already created
   * with this `idempotencyKey`.
   */
  async create(request: TokenRequest, author: Author): Promise<CreatedToken> {
    const by = checkAuthor(author);
    const given = copyRequest(request);
    const parts = await this.#changing();
    const now = await parts.database.clock();
    const checked = checkTokenRequest(given, parts, now);
    return this.#create(parts, { ...checked, ...(await parts.bind(checked)) }, now, given, by);
  }

  async #create(
    parts: ChangeParts,
    properties: TokenProperties,
    now: number,
    request: Pick<TokenRequest, 'idempotencyKey'>,
    author: Author,
  ): Promise<CreatedToken> {
    const idempotencyKey = checkIdempotencyKey(request);
    return createToken(parts, { name: 'tokens.create', idempotencyKey, author }, (creation) =>
      insertToken(creation, properties, now),
    );
  }

  /**
   * Creates a token with the properties of this one, except those of the request. The original may be expired or
   * revoked, and does not change. Without an expiry in the request, the new token lives as long as the original was
   * meant to; a token that was rotated has no such time, so its duplicate needs an expiry. Returns null if the token
   * does not exist. Throws as `create` does.
   */
  async duplicate(id: number, request: DuplicationRequest, author: Author): Promise<CreatedToken | null> {
    const by = checkAuthor(author);
    const given = checkKeys(request, 'A duplicate', [...PROPERTIES, 'idempotencyKey']);
    const original = await this.get(id);
    if (!original) return null;
    const parts = await this.#changing();
    const properties = { ...duplicateOf(original, given, parts), ...(await this.#bound(given)) };
    return this.#create(parts, properties, original.readAt, given, by);
  }

  /**
   * Changes the given properties of an active token. Returns its record, or null if it does not exist. If nothing
   * differs, nothing is written. Throws InvalidInput if the token is not active or a property is invalid, and StaleToken
   * if the token has another `version` than the changes.
   */
  async update(id: number, changes: TokenChanges, author: Author): Promise<TokenRecord | null> {
    const given = checkKeys(changes, 'A change of a token', [...PROPERTIES, 'version']);
    const by = checkAuthor(author);
    const binding = await this.#bound(given);
    return this.#change('tokens.update', id, by, (parts) => ({
      action: 'token.changed',
      given,
      check: ({ readAt }) => ({ ...checkTokenChanges(given, parts, readAt), ...binding }),
    }));
  }

  /**
   * Returns a check that returns the properties which changes would give a token, and throws as `update` does. Nothing is
   * written. With `looksUp`, the accounts are looked up.
   * @internal
   */
  async propertiesCheck(looksUp: boolean) {
    const parts = await this.#changing();
    const now = Math.floor(Date.now() / 1000);
    return async (changes: TokenChanges): Promise<Partial<TokenProperties>> => {
      const checked = checkTokenChanges(changes, parts, now);
      return { ...checked, ...(looksUp && (await this.#bound(changes))) };
    };
  }

  /** The accounts that changes name, looked up; undefined if they name none. */
  async #bound(changes: TokenChanges): Promise<Binding | undefined> {
    const named = checkBinding(changes, this.#parts, true);
    return named && this.#parts.bind(named);
  }

  /**
   * Gives an active token a later expiry. Returns its record, or null if it does not exist. Throws InvalidInput if the
   * token is not active, or if the new expiry is not later than the present one, and StaleToken as `update` does.
   */
  async extend(id: number, extension: TokenExtension, author: Author): Promise<TokenRecord | null> {
    const given = checkKeys(extension, 'An extension', ['expiresAt', 'expiresInSeconds', 'version']);
    return this.#change('tokens.extend', id, checkAuthor(author), (parts) => ({
      action: 'token.extended',
      given,
      check: (token) => ({ expiresAt: extendedExpiry(given, parts, token) }),
    }));
  }

  /**
   * Gives an active token the properties that the function returns of it. Rejects with what the function throws, and with
   * InvalidInput if the token is not active. @internal
   */
  async narrow(id: number, check: Change['check'], author: Author): Promise<TokenRecord | null> {
    return this.#change('tokens.narrow', id, author, () => ({ action: 'token.changed', given: {}, check }));
  }

  async #change(name: string, id: number, author: Author, change: (parts: ChangeParts) => Change) {
    if (!isTokenId(id)) return null;
    const parts = await this.#changing();
    return parts.database.transaction(name, (session) =>
      changeToken({ ...parts, session, author }, id, change(parts)),
    );
  }

  /**
   * Creates a new token that replaces this one, with the same name, note, scopes, account, addresses, limit, lineage
   * and, unless the request chooses another one, expiry. In the same transaction, the old token's expiry becomes the end
   * of `graceSeconds`, unless it is earlier. Returns null if the token does not exist. Throws InvalidInput if it is not
   * active or was already rotated, and DuplicateRequest as `create` does. If it rejects because the answer to COMMIT is
   * lost, the new token is revoked, and the old one may end with the grace: extend it before.
   */
  async rotate(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    const by = checkAuthor(author);
    const checked = checkRotation(request);
    if (!isTokenId(id)) return null;
    const parts = await this.#changing();
    const { idempotencyKey } = checked;
    return createToken(parts, { name: 'tokens.rotate', idempotencyKey, author: by }, (creation) =>
      rotateToken(creation, id, checked),
    );
  }

  /**
   * Revokes a token permanently. Returns its record, or null if the token does not exist. If it is already revoked,
   * nothing changes and no audit entry is written.
   */
  async revoke(id: number, author: Author): Promise<TokenRecord | null> {
    const by = checkAuthor(author);
    if (!isTokenId(id)) return null;
    await revokeToken(this.#parts, id, by);
    return this.get(id);
  }

  /**
   * Revokes all tokens that are bound to this account, also those of several accounts, in one transaction, and returns
   * their records, the newest first. For a panel that deletes the account. Throws InvalidInput for an invalid account.
   */
  async revokeAllOf(accountId: string | number | bigint, author: Author): Promise<readonly TokenRecord[]> {
    const by = checkAuthor(author);
    const account = checkAccountId(accountId, this.#parts);
    return revokeAllOf(this.#parts, account, by);
  }

  /** Returns the first of the records that `findAll` returns; null if there is none. Throws as `findAll` does. */
  async find(text: string): Promise<TokenRecord | null> {
    return (await this.findAll(text))[0] ?? null;
  }

  /**
   * Returns the records of all tokens of this panel that a text contains, such as a leaked file, active ones first. That
   * is no use of the tokens. Throws InvalidInput for a text without a whole token, or with more than 100.
   */
  async findAll(text: string): Promise<readonly TokenRecord[]> {
    return findTokens(this.#parts, text);
  }

  /** Returns all tokens, newest first. Throws InvalidInput for a query, which only `page` takes. */
  list(): Promise<readonly TokenRecord[]>;
  async list(...given: readonly unknown[]): Promise<readonly TokenRecord[]> {
    if (given.length > 0) throw new InvalidInput('query', 'A list of all tokens takes no query: use page.');
    return this.#read('tokens.list', (tokens) => tokens.orderBy('id', 'desc'));
  }

  /**
   * Returns a page of the tokens, newest first unless the query has another order. A page of all takes milliseconds,
   * however many tokens there are; a search, a filter or another order may read all of them. Throws InvalidInput for an
   * invalid query.
   */
  async page(query: TokenPageQuery = {}): Promise<TokenPage> {
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
  async countStates(): Promise<Record<TokenRecord['state'], number>> {
    return countGroups(this.#parts, 'tokens.states', ['active', 'expired', 'revoked']);
  }

  /** Returns the number of tokens that each filter of `page` returns, with the same search, scope and account. */
  async countFilters(query: TokenNarrowing = {}): Promise<Record<TokenFilter, number>> {
    return countByFilter(this.#parts, query);
  }

  /** Returns the tokens that an administrator should see, at most ten of each kind, with their numbers. */
  async attention(): Promise<TokenAttention> {
    return readAttention(this.#parts);
  }

  /**
   * Returns the number of active tokens that never expire (`everlasting`), that have every scope (`wildcard`), and that
   * were not used for 90 days (`unused`).
   */
  async countWarnings(): Promise<Record<'everlasting' | 'wildcard' | 'unused', number>> {
    return countGroups(this.#parts, 'tokens.warnings', ['everlasting', 'wildcard', 'unused']);
  }

  async #changing(): Promise<ChangeParts> {
    return { ...this.#parts, life: await this.#parts.readLife() };
  }

  async #read(
    name: string,
    narrow: (tokens: Knex.QueryBuilder) => Knex.QueryBuilder,
  ): Promise<readonly TokenRecord[]> {
    const rows = await this.#parts.database.query(name, () => narrow(selectTokens(this.#parts)));
    return rows.map(tokenRecord);
  }
}
