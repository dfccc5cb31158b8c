import type { Knex } from 'knex';
import { type Author, checkAnyAuthor, checkAuthor } from '../audit/AuditLog';
import { checkKeys, InvalidInput, isTokenId } from '../errors/InvalidInput';
import { authorParts, boundedRequest, changeParts, rulesFor, shownToAuthor } from './accountBounds';
import { type Change, changeToken, extendedExpiry } from './changeToken';
import { checkAccountId, findBinding } from './checkBinding';
import {
  checkIdempotencyKey,
  checkTokenChanges,
  checkTokenRequest,
  copyRequest,
  PROPERTIES,
} from './checkTokenRequest';
import { createToken, duplicateOf, insertToken } from './createToken';
import { revokeAllOf, revokeToken } from './revokeTokens';
import { checkRotation, rotateToken, shownRotation } from './rotateToken';
import type {
  AccountTokens,
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
import { countByFilter, countGroups, readAttention, silentTokens } from './tokenFilters';
import { readPage } from './tokenPages';
import type { FilterCounts, TokenAttention, TokenNarrowing, TokenPage, TokenPageQuery } from './tokenQueries';
import { type ChangeParts, readClock, selectTokens, type TokensParts, tokenRecord } from './tokenRows';

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
    const by = checkAnyAuthor(author);
    const given = copyRequest(request);
    const parts = await changeParts(this.#parts, by);
    const bounded = boundedRequest(given, parts, true);
    const check = (now: number) => checkTokenRequest(bounded, parts, now);
    const binding = await parts.bind(check(await parts.database.clock()));
    return this.#create(parts, (now) => ({ ...check(now), ...binding }), given, by);
  }

  /** Creates a token with the properties at the time of its creation, for which it may have waited. */
  async #create(
    parts: ChangeParts,
    propertiesAt: (now: number) => TokenProperties,
    request: Pick<TokenRequest, 'idempotencyKey'>,
    author: Author,
  ): Promise<CreatedToken> {
    const idempotencyKey = checkIdempotencyKey(request);
    return createToken(parts, { name: 'tokens.create', idempotencyKey, author }, async (creation) => {
      const now = await readClock(creation);
      return insertToken(creation, propertiesAt(now), now);
    });
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
    const parts = await changeParts(this.#parts);
    const binding = await findBinding(given, parts);
    const propertiesAt = (now: number) => ({ ...duplicateOf(original, given, parts, now), ...binding });
    return this.#create(parts, propertiesAt, given, by);
  }

  /**
   * Changes the given properties of an active token. Returns its record, or null if it does not exist. If nothing
   * differs, nothing is written. Throws InvalidInput if the token is not active or a property is invalid, and StaleToken
   * if the token has another `version` than the changes.
   */
  async update(id: number, changes: TokenChanges, author: Author): Promise<TokenRecord | null> {
    const given = checkKeys(changes, 'A change of a token', [...PROPERTIES, 'version']);
    return this.#change('tokens.update', id, checkAnyAuthor(author), async (parts) => {
      const bounded = boundedRequest(given, parts, false);
      const binding = await findBinding(bounded, parts);
      return {
        action: 'token.changed',
        given,
        check: (token) => ({
          ...checkTokenChanges(bounded, rulesFor(token, parts, this.#parts.scopes), token.readAt),
          ...binding,
        }),
      };
    });
  }

  /**
   * Returns a check that returns the properties which changes would give a token, and throws as `update` does. Nothing is
   * written. With `looksUp`, the accounts are looked up. @internal
   */
  async propertiesCheck(looksUp: boolean) {
    const parts = await changeParts(this.#parts);
    const now = Math.floor(Date.now() / 1000);
    return async (changes: TokenChanges): Promise<Partial<TokenProperties>> => {
      const checked = checkTokenChanges(changes, parts, now);
      return { ...checked, ...(looksUp && (await findBinding(changes, parts))) };
    };
  }

  /**
   * Gives an active token a later expiry. Returns its record, or null if it does not exist. Throws InvalidInput if the
   * token is not active, or if the new expiry is not later than the present one, and StaleToken as `update` does.
   */
  async extend(id: number, extension: TokenExtension, author: Author): Promise<TokenRecord | null> {
    const given = checkKeys(extension, 'An extension', ['expiresAt', 'expiresInSeconds', 'version']);
    return this.#change('tokens.extend', id, checkAnyAuthor(author), async (parts) => ({
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
    return this.#change('tokens.narrow', id, author, async () => ({
      action: 'token.changed',
      given: {},
      check,
    }));
  }

  async #change(name: string, id: number, author: Author, prepare: (parts: ChangeParts) => Promise<Change>) {
    if (!isTokenId(id)) return null;
    const parts = await changeParts(this.#parts, author);
    const change = await prepare(parts);
    const changed = await parts.database.transaction(name, (session) =>
      changeToken({ ...parts, session, author }, id, change),
    );
    return changed && shownToAuthor(changed, parts);
  }

  /**
   * Creates a new token that replaces this one, with the same name, note, scopes, account, addresses, limit, lineage
   * and, unless the request chooses another one, expiry. In the same transaction, the old token's expiry becomes the end
   * of `graceSeconds`, unless it is earlier. Returns null if the token does not exist. Throws InvalidInput if it is not
   * active or was already rotated, and DuplicateRequest as `create` does. If it rejects because the answer to COMMIT is
   * lost, the new token is revoked, and the old one may end with the grace: extend it before.
   */
  async rotate(id: number, request: RotationRequest, author: Author): Promise<RotatedToken | null> {
    const by = checkAnyAuthor(author);
    const checked = checkRotation(request);
    if (!isTokenId(id)) return null;
    const parts = await changeParts(this.#parts, by);
    const { idempotencyKey } = checked;
    const rotated = await createToken(
      parts,
      { name: 'tokens.rotate', idempotencyKey, author: by },
      (creation) => rotateToken(creation, id, checked),
    );
    return rotated && shownRotation(rotated, parts);
  }

  /**
   * Revokes a token permanently. Returns its record, or null if the token does not exist. If it is already revoked,
   * nothing changes and no audit entry is written.
   */
  async revoke(id: number, author: Author): Promise<TokenRecord | null> {
    const by = checkAnyAuthor(author);
    if (!isTokenId(id)) return null;
    const parts = await authorParts(this.#parts, by);
    const revoked = await revokeToken(parts, id, by);
    const token = revoked && (await this.get(id));
    return token && shownToAuthor(token, parts);
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

  /**
   * Returns the tokens that this account may see on a page of its own, at most 500, newest first: its own ones, and those
   * that administrators have bound to it alone. They must be bound to the account as it is now, and have ended at most 30
   * days ago. Throws InvalidInput for an invalid account, and if the list of accounts cannot be read.
   */
  async ofAccount(accountId: string | number | bigint): Promise<AccountTokens> {
    // Most panels have no page for their customers.
    const { readAccountTokens } = require('./accountTokens') as typeof import('./accountTokens');
    return readAccountTokens(this.#parts, checkAccountId(accountId, this.#parts));
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
    // Hardly a process searches a text.
    const { findTokens } = require('./findTokens') as typeof import('./findTokens');
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

  /** Returns this token with all others of its line of rotations, newest first; none if it does not exist. */
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

  /** Returns the number of tokens that each filter of `page` returns, with the same search, scope, account and origin. */
  async countFilters(query: TokenNarrowing = {}): Promise<FilterCounts> {
    return countByFilter(this.#parts, query);
  }

  /** Returns what `page` and `countFilters` return, but reads only once which tokens are silent. @internal */
  async pageAndCounts(query: TokenPageQuery, narrowing: TokenNarrowing): Promise<[TokenPage, FilterCounts]> {
    const silent = query.filter === 'silent' ? await silentTokens(this.#parts) : undefined;
    return Promise.all([readPage(this.#parts, query, silent), countByFilter(this.#parts, narrowing, silent)]);
  }

  /** Returns the ids of the tokens that the filter `silent` returns, of all or of one. @internal */
  async silentIds(id?: number): Promise<ReadonlySet<number>> {
    return new Set(await silentTokens(this.#parts, id));
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

  async #read(name: string, narrow: (tokens: Knex.QueryBuilder) => Knex.QueryBuilder) {
    const rows = await this.#parts.database.query(name, () => narrow(selectTokens(this.#parts)));
    return rows.map(tokenRecord);
  }
}
