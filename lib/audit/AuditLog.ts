import type { Comparison } from '../database/Comparison';
import type { Database } from '../database/Database';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import type { Migrations } from '../migrations/Migrations';
import { isTokenId } from '../tokens/isTokenId';

/** Through which door a change came. */
export const ORIGINS = ['api-section', 'cli', 'panel'] as const;

export type Origin = (typeof ORIGINS)[number];

/** Who changes something, and through which door. */
export interface Author {
  /** A person or a system user, as the panel names them. */
  readonly actor: string;
  readonly origin: Origin;
}

export type AuditAction =
  | 'token.created'
  | 'token.rotated'
  | 'token.revoked'
  | 'api.enabled'
  | 'api.disabled'
  | 'settings.changed';

export interface AuditEntry extends Author {
  readonly id: number;
  /** Seconds since 1970, by the database's clock. */
  readonly at: number;
  readonly action: AuditAction;
  /** The token that the entry is about, or null. */
  readonly tokenId: number | null;
  /** What was done, without anything secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  readonly tokenId?: number;
  /** Who did it, as the entry names them. */
  readonly actor?: string;
  /** Only entries older than the one with this id. */
  readonly before?: number;
  /** How many at most, newest first; 100 by default. */
  readonly limit?: number;
}

/** The append-only trail of what administrators did: it has no way to change or remove an entry. */
export class AuditLog {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #table: string;

  constructor(database: Database, migrations: Migrations, table: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#table = table;
  }

  /** Writes an entry within the transaction of the change that it records, with the time that the change itself bears. */
  async append(
    session: Session,
    author: Author,
    entry: Pick<AuditEntry, 'at' | 'action' | 'tokenId' | 'details'>,
  ): Promise<void> {
    await session.run((knex) =>
      knex(this.#table).insert({
        at: entry.at,
        action: entry.action,
        actor: author.actor,
        origin: author.origin,
        token_id: entry.tokenId,
        details: JSON.stringify(entry.details),
      }),
    );
  }

  /** The newest entries first. */
  async list({ tokenId, actor, before, limit = 100 }: AuditQuery = {}): Promise<readonly AuditEntry[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new InvalidInput('limit', 'The limit must be a whole number of at least 1.');
    }
    if (before !== undefined && !Number.isSafeInteger(before)) {
      throw new InvalidInput('before', 'What the entries are older than must be the id of one.');
    }
    if (tokenId !== undefined && !isTokenId(tokenId)) return [];
    // Nobody is named so, and PostgreSQL refuses to compare it.
    if (actor?.includes('\0')) return [];
    await this.#migrations.ready();
    const { left, right } = this.#sameActor();
    const rows = await this.#database.query('audit.list', (knex) => {
      const query = knex(this.#table)
        .select({
          id: 'id',
          at: 'at',
          action: 'action',
          actor: 'actor',
          origin: 'origin',
          token: 'token_id',
          details: 'details',
        })
        .orderBy('id', 'desc')
        .limit(limit);
      if (tokenId !== undefined) query.where('token_id', tokenId);
      // The first condition has an index, and the second is exact.
      if (actor !== undefined) query.where({ actor }).where(knex.raw(`${left} = ${right}`, ['actor', actor]));
      if (before !== undefined) query.where('id', '<', before);
      return query;
    });
    return rows.map(({ id, at, action, actor, origin, token, details }) => ({
      id: Number(id),
      at: Number(at),
      action,
      actor,
      origin,
      tokenId: token === null ? null : Number(token),
      details: readDetails(details),
    }));
  }

  // The column's collation may take Ann, ann and änn for one.
  #sameActor(): Pick<Comparison, 'left' | 'right'> {
    const compared = this.#database.dialect.compareKey({ name: 'actor', type: 'character varying' });
    return compared.exactly ?? compared;
  }
}

/** What an entry says was done; nothing where somebody made it unreadable, so that the others are read all the same. */
function readDetails(text: unknown): AuditEntry['details'] {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
}
