import type { AuditLog, Author } from '../audit/AuditLog';
import { checkAuthor } from '../audit/checkAuthor';
import type { Database } from '../database/Database';
import type { Migrations } from '../migrations/Migrations';
import { EVERY_SCOPE } from '../operations/OperationFacts';
import { rfc3339OfSeconds } from '../time/rfc3339';
import { checkTokenRequest, type TokenRequest } from './checkTokenRequest';
import { isTokenId } from './isTokenId';
import { TOKEN_COLUMNS, type TokenRecord, tokenRecord } from './TokenRecord';
import { newToken, shownPrefix, tokenHash } from './tokenFormat';

/** A token that nobody used for so long is worth a question: 90 days. */
const UNUSED_SECONDS = 90 * 86_400;

export interface CreatedToken {
  /** The plain token: it exists here once and is stored nowhere. */
  readonly token: string;
  readonly record: TokenRecord;
}

interface TokensParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly table: string;
  readonly prefix: string;
  /** Every scope that a token may carry, `*` among them. */
  readonly scopes: readonly string[];
}

/** The module's tokens: made, listed and revoked by administrators, looked up in every request. */
export class Tokens {
  readonly #parts: TokensParts;
  readonly #findSql: string;
  readonly #touchSql: string;

  constructor(parts: TokensParts) {
    this.#parts = parts;
    const { knex, dialect } = parts.database;
    const table = knex.ref(parts.table).toString();
    this.#findSql = this.#select().where('hash', Buffer.alloc(32)).toSQL().sql;
    this.#touchSql = `UPDATE ${table} SET last_used_at = ${dialect.now}
      WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ${dialect.now})`;
  }

  /**
   * Makes a token, in one transaction with its audit entry.
   * Throws InvalidInput for an empty name, an unknown scope, an account that is no key or an expiry that is not in the
   * future.
   */
  async create(request: TokenRequest, author: Author): Promise<CreatedToken> {
    checkAuthor(author);
    const { database, migrations, audit, table, prefix, scopes } = this.#parts;
    await migrations.ready();
    const now = await this.#now();
    const checked = checkTokenRequest(request, scopes, now);
    const token = newToken(prefix);
    const hash = tokenHash(token);
    const record = await database.transaction('tokens.create', async (session) => {
      await session.run((knex) =>
        knex(table).insert({
          name: checked.name,
          prefix: shownPrefix(token),
          hash,
          scopes: checked.scopes.join(' '),
          account_id: checked.accountId,
          created_at: now,
          created_by: author.actor,
          expires_at: checked.expiresAt,
        }),
      );
      const [row] = await session.run(() => this.#select().where({ hash }));
      const made = tokenRecord(row);
      await audit.append(session, author, {
        at: made.createdAt,
        action: 'token.created',
        tokenId: made.id,
        details: {
          name: checked.name,
          scopes: checked.scopes,
          account_id: checked.accountId,
          expires_at: rfc3339OfSeconds(checked.expiresAt),
        },
      });
      return made;
    });
    return { token, record };
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

  /** One token, or null when there is none with this id. */
  async get(id: number): Promise<TokenRecord | null> {
    if (!isTokenId(id)) return null;
    await this.#parts.migrations.ready();
    const [row] = await this.#parts.database.query('tokens.get', () => this.#select().where({ id }));
    return row ? tokenRecord(row) : null;
  }

  /** The record of a plain token, read from the database at every call; null when it is not known. */
  async find(token: string): Promise<TokenRecord | null> {
    await this.#parts.migrations.ready();
    const [row] = await this.#parts.database.rows('tokens.find', this.#findSql, [tokenHash(token)]);
    return row ? tokenRecord(row) : null;
  }

  /** How many tokens there are in each state. */
  async countStates(): Promise<Record<TokenRecord['state'], number>> {
    const { now } = this.#parts.database.dialect;
    return this.#count('tokens.states', {
      active: `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`,
      expired: `revoked_at IS NULL AND expires_at <= ${now}`,
      revoked: 'revoked_at IS NOT NULL',
    });
  }

  /** How many active tokens an administrator should look at, and why. */
  async countDoubtful(): Promise<Record<'everlasting' | 'wildcard' | 'unused', number>> {
    const { now } = this.#parts.database.dialect;
    const active = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;
    return this.#count('tokens.doubtful', {
      everlasting: `${active} AND expires_at IS NULL`,
      wildcard: `${active} AND scopes = '${EVERY_SCOPE}'`,
      unused: `${active} AND COALESCE(last_used_at, created_at) < ${now} - ${UNUSED_SECONDS}`,
    });
  }

  /** Notes that the token is in use, unless that was noted in this second already. */
  async touch({ id, lastUsedAt, readAt }: TokenRecord): Promise<void> {
    if (lastUsedAt !== null && lastUsedAt >= readAt) return;
    await this.#parts.database.rows('tokens.touch', this.#touchSql, [id]);
  }

  #select() {
    const { knex, dialect } = this.#parts.database;
    return knex(this.#parts.table)
      .select(TOKEN_COLUMNS)
      .select({ clock: knex.raw(dialect.now) });
  }

  async #count<K extends string>(name: string, conditions: Record<K, string>): Promise<Record<K, number>> {
    const { database, migrations, table } = this.#parts;
    await migrations.ready();
    const counts = Object.entries<string>(conditions).map(
      ([key, condition]) => `COALESCE(SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END), 0) AS ${key}`,
    );
    const [row] = await database.rows(
      name,
      `SELECT ${counts.join(', ')} FROM ${database.knex.ref(table).toString()}`,
    );
    return Object.fromEntries(Object.keys(conditions).map((key) => [key, Number(row?.[key])])) as Record<
      K,
      number
    >;
  }

  async #now(): Promise<number> {
    const { database } = this.#parts;
    const [row] = await database.rows('clock', `SELECT ${database.dialect.now} AS clock`);
    return Number(row?.clock);
  }
}
