import type { Comparison } from '../database/columns';
import type { OwnTable } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { isTokenId } from '../database/tokenId';
import { InvalidInput } from '../errors/InvalidInput';
import { rfc3339OfSeconds } from '../time/time';

const ORIGINS = ['api-section', 'cli', 'panel'] as const;

/** Where a change was asked for. */
export type Origin = (typeof ORIGINS)[number];

/** Who changes something, and from where. */
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
  /** The old and new values, or the properties of the token; nothing secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  readonly tokenId?: number;
  /** The actor, as the entry names them. */
  readonly actor?: string;
  /** Only entries older than the one with this id. */
  readonly before?: number;
  /** How many at most, newest first; 100 by default. */
  readonly limit?: number;
}

/** The append-only trail of the changes of administrators: no method changes or removes an entry. */
export class AuditLog {
  readonly #own: OwnTable;

  constructor(own: OwnTable) {
    this.#own = own;
  }

  /** Writes an entry within the transaction of its change, with the time that is stored with the change. */
  async append(
    session: Session,
    author: Author,
    entry: Pick<AuditEntry, 'at' | 'action' | 'tokenId' | 'details'>,
  ): Promise<void> {
    await session.run((knex) =>
      knex(this.#own.table).insert({
        at: entry.at,
        action: entry.action,
        actor: author.actor,
        origin: author.origin,
        token_id: entry.tokenId,
        details: JSON.stringify(entry.details),
      }),
    );
  }

  /** Reads entries, the newest first. Throws InvalidInput for a wrong query. */
  async list({ tokenId, actor, before, limit = 100 }: AuditQuery = {}): Promise<readonly AuditEntry[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new InvalidInput('limit', 'The limit must be a whole number of at least 1.');
    }
    if (before !== undefined && !Number.isSafeInteger(before)) {
      throw new InvalidInput('before', 'The value of before must be the id of an entry.');
    }
    if (tokenId !== undefined && !isTokenId(tokenId)) return [];
    // No actor has such a name, and PostgreSQL refuses to compare it.
    if (actor?.includes('\0')) return [];
    const { database, migrations, table } = this.#own;
    await migrations.ready();
    const { left, right } = this.#sameActor();
    const rows = await database.query('audit.list', (knex) => {
      const query = knex(table)
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
      // The first condition uses an index, the second is exact.
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

  // For the column's collation Ann, ann and änn may be equal.
  #sameActor(): Pick<Comparison, 'left' | 'right'> {
    const compared = this.#own.database.dialect.compareKey({ name: 'actor', type: 'character varying' });
    return compared.exactly ?? compared;
  }
}

/** The form of an entry for scripts and downloads. */
export function entryJson({ id, at, actor, action, origin, tokenId, details }: AuditEntry) {
  return { id, at: rfc3339OfSeconds(at), actor, action, origin, token_id: tokenId, details };
}

/** Empty if the text was damaged, so that the other entries can still be read. */
function readDetails(text: unknown): AuditEntry['details'] {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
}

const LONGEST_ACTOR = 128;

/** Whether the audit trail can store this as an actor. */
export function isActor(actor: unknown): actor is string {
  return (
    typeof actor === 'string' && actor.trim() !== '' && actor.length <= LONGEST_ACTOR && !actor.includes('\0')
  );
}

/** Throws InvalidInput for an author that the audit trail cannot store. */
export function checkAuthor(author: Author): void {
  const { actor, origin } = author ?? {};
  if (!isActor(actor)) {
    throw new InvalidInput('actor', `The actor must be a name of 1 to ${LONGEST_ACTOR} characters.`);
  }
  if (!ORIGINS.includes(origin)) {
    throw new InvalidInput('origin', `The origin must be one of ${ORIGINS.join(', ')}.`);
  }
}
