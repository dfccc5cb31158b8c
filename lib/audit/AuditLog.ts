import type { Comparison } from '../database/columns';
import type { OwnTable } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { isTokenId } from '../database/tokenId';
import { InvalidInput } from '../errors/InvalidInput';
import { rfc3339OfSeconds } from '../time/time';

const ORIGINS = ['api-section', 'cli', 'panel'] as const;

/** The interface through which a change was made. */
export type Origin = (typeof ORIGINS)[number];

/** Who makes a change, and through which interface. */
export interface Author {
  /** The name of the administrator or system user: 1 to 128 characters. */
  readonly actor: string;
  readonly origin: Origin;
}

/** What was changed. */
export type AuditAction =
  | 'token.created'
  | 'token.changed'
  | 'token.extended'
  | 'token.rotated'
  | 'token.revoked'
  | 'api.enabled'
  | 'api.disabled'
  | 'settings.changed';

/** An entry of the audit trail. */
export interface AuditEntry extends Author {
  readonly id: number;
  /** Seconds since 1970, by the database's clock. */
  readonly at: number;
  readonly action: AuditAction;
  /** The token that was changed, or null. */
  readonly tokenId: number | null;
  /** The old and new values, or the token's properties. Never a secret. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Which entries to return. Default: the latest of all. */
export interface AuditQuery {
  readonly tokenId?: number;
  /** Only entries with exactly this actor. */
  readonly actor?: string;
  /** Only entries older than the one with this id. */
  readonly before?: number;
  /** Maximum entries, at least 1. Default 100. */
  readonly limit?: number;
}

/** Reads and writes the append-only audit trail: no method changes or deletes an entry. */
export class AuditLog {
  readonly #own: OwnTable;

  constructor(own: OwnTable) {
    this.#own = own;
  }

  /** Writes an entry within the transaction of its change, with the same time as the change. */
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

  /** Returns entries, newest first. Throws InvalidInput for an invalid query. */
  async list({ tokenId, actor, before, limit = 100 }: AuditQuery = {}): Promise<readonly AuditEntry[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new InvalidInput('limit', 'The limit must be a whole number of at least 1.');
    }
    if (before !== undefined && !Number.isSafeInteger(before)) {
      throw new InvalidInput('before', 'before must be the id of an audit entry.');
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

  // The column's collation may treat Ann, ann and änn as equal.
  #sameActor(): Pick<Comparison, 'left' | 'right'> {
    const compared = this.#own.database.dialect.compareKey({ name: 'actor', type: 'character varying' });
    return compared.exactly ?? compared;
  }
}

/** The form of an entry in scripts and downloads. */
export function entryJson({ id, at, actor, action, origin, tokenId, details }: AuditEntry) {
  return { id, at: rfc3339OfSeconds(at), actor, action, origin, token_id: tokenId, details };
}

/** Returns an empty object if the text is damaged, so that the other entries stay readable. */
function readDetails(text: unknown): AuditEntry['details'] {
  try {
    return JSON.parse(String(text));
  } catch {
    return {};
  }
}

const LONGEST_ACTOR = 128;

/** Whether the value is a valid actor. */
export function isActor(actor: unknown): actor is string {
  return (
    typeof actor === 'string' && actor.trim() !== '' && actor.length <= LONGEST_ACTOR && !actor.includes('\0')
  );
}

/** Throws InvalidInput for an invalid author. */
export function checkAuthor(author: Author): void {
  const { actor, origin } = author ?? {};
  if (!isActor(actor)) {
    throw new InvalidInput('actor', `The actor must be a string of 1 to ${LONGEST_ACTOR} characters.`);
  }
  if (!ORIGINS.includes(origin)) {
    throw new InvalidInput('origin', `The origin must be one of ${ORIGINS.join(', ')}.`);
  }
}
