import type { Knex } from 'knex';
import { clientAddress } from '../addresses/requestOrigin';
import { contains } from '../database/columns';
import { integerIn } from '../database/DatabaseFailure';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { checkKeys, InvalidInput, isTokenId } from '../errors/InvalidInput';
import { parseJson } from '../json/json';
import { rfc3339OfSeconds } from '../time/time';

export const ORIGINS = ['api-section', 'cli', 'panel', 'account-section'] as const;

/** The interface through which a change was made. */
export type Origin = (typeof ORIGINS)[number];

/** Who makes a change, and through which interface. */
export interface Author {
  /** The name of the administrator, system user or account: 1 to 128 characters. */
  readonly actor: string;
  /** The interface: `'api-section'`, `'cli'`, `'panel'`, or `'account-section'` for an account that changes its own tokens. */
  readonly origin: Origin;
  /** The IP address from which the change was made, in any form in which Koa or a proxy writes it. Default: unknown. */
  readonly address?: string | null;
  /** The id of the account. `'account-section'` needs it, the others refuse it. */
  readonly accountId?: string | number | bigint;
  /** The name of the administrator who acts as the account: 1 to 128 characters. Default: none. */
  readonly by?: string;
}

/** Every action. */
export const auditActions = [
  'token.created',
  'token.changed',
  'token.extended',
  'token.rotated',
  'token.revoked',
  'api.enabled',
  'api.disabled',
  'settings.changed',
  'lists.shown',
  'database.restored',
  'database.copied',
  'database.moved',
] as const;

/** What was changed, or that rows of lists were shown. */
export type AuditAction = (typeof auditActions)[number];

/** Whether the value is an action. */
export function isAuditAction(action: unknown): action is AuditAction {
  return auditActions.some((known) => known === action);
}

/** An entry of the audit trail. */
export interface AuditEntry extends Pick<Author, 'actor' | 'origin'> {
  readonly id: number;
  readonly address: string | null;
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
  /** Only entries about this token. */
  readonly tokenId?: number;
  /** Only entries with exactly this actor. */
  readonly actor?: string;
  /** Only entries whose actor contains this text, in any letter case (on SQLite of A to Z alone). */
  readonly actorName?: string;
  /** Only entries of this action, such as `token.revoked`. */
  readonly action?: AuditAction;
  /** Only entries about tokens whose present name contains this text, in any letter case (on SQLite of A to Z alone). */
  readonly tokenName?: string;
  /** Only entries of this time or later, in seconds since 1970. */
  readonly since?: number;
  /** Only entries before this time, in seconds since 1970. */
  readonly until?: number;
  /** Only entries older than the one with this id. */
  readonly before?: number;
  /** Maximum entries, 1 to 10,000. Default 100. */
  readonly limit?: number;
}

interface AuditParts extends ModuleTables {
  /** Is told within the transaction that an entry with these columns was inserted. */
  readonly appended: (session: Session, columns: object) => Promise<void>;
  /** Selects the ids of the tokens whose name contains a text. */
  readonly tokensNamed: (text: string) => Knex.QueryBuilder;
}

/** Reads and writes the append-only audit trail: no method changes or deletes an entry. */
export class AuditLog {
  readonly #parts: AuditParts;

  /** @internal */
  constructor(parts: AuditParts) {
    this.#parts = parts;
  }

  /**
   * Writes an entry within the transaction of its change, with the same time as the change, and its line of the log after
   * that. @internal
   */
  async append(
    session: Session,
    author: Author,
    entry: Pick<AuditEntry, 'at' | 'action' | 'tokenId' | 'details'>,
  ): Promise<void> {
    const { tables, appended } = this.#parts;
    const { tokenId, details, ...what } = entry;
    const { actor, origin, address, by } = author;
    const columns = { ...what, actor, origin, token_id: tokenId };
    await session.run((knex) =>
      knex(tables.auditLog).insert({
        ...columns,
        address: address ? clientAddress({ ip: address }) : null,
        details: JSON.stringify(by === undefined ? details : { ...details, by }),
      }),
    );
    await appended(session, columns);
  }

  /**
   * Records that an administrator is shown rows of these lists, as a token of this account or of all reads them.
   * @internal
   */
  async recordShown(
    author: Author,
    details: { readonly lists: readonly string[]; readonly account_id: string | null },
  ): Promise<void> {
    const { database } = this.#parts;
    const at = await database.clock();
    await database.transaction('audit.shown', (session) =>
      this.append(session, author, { at, action: 'lists.shown', tokenId: null, details }),
    );
  }

  /** Returns entries, newest first. Throws InvalidInput for an invalid query. */
  async list(query: AuditQuery = {}): Promise<readonly AuditEntry[]> {
    const wanted = checkQuery(query);
    const { tokenId, actor, actorName, action, tokenName, since, until, limit = 100 } = wanted;
    if (tokenId !== undefined && !isTokenId(tokenId)) return [];
    // No name is so long or has such a character, which PostgreSQL refuses to compare.
    if ([actor, actorName, tokenName].some((name) => name && !/^[^\0]{1,128}$/s.test(name))) return [];
    const { database, tables } = this.#parts;
    // These filters have no index and may read the whole trail, so the statements of requests go first.
    const mayReadAll = [actorName, action, tokenName, since, until].some((filter) => filter !== undefined);
    const slots = mayReadAll ? database.inSlotsOf('audit') : database;
    const rows = await slots.query('audit.list', (knex) => {
      const entries = knex(tables.auditLog)
        .select('id', 'at', 'action', 'actor', 'origin', 'address', 'details', { token: 'token_id' })
        .orderBy('id', 'desc')
        .limit(limit);
      return this.#filter(entries, wanted);
    });
    return rows.map(({ id, at, token, details, ...same }) => ({
      ...same,
      id: integerIn('audit.list', id),
      at: integerIn('audit.list', at),
      tokenId: token === null ? null : Number(token),
      details: readDetails(details),
    }));
  }

  #filter<T extends Knex.QueryBuilder>(entries: T, query: AuditQuery): T {
    const { tokenId, actor, actorName, action, tokenName, since, until, before } = query;
    if (tokenId !== undefined) entries.where('token_id', tokenId);
    if (actor !== undefined) {
      const { dialect, knex } = this.#parts.database;
      const compared = dialect.compareKey({ name: 'actor', type: 'character varying' });
      // The column's collation may take Ann, ann and änn for equal.
      const { left, right } = compared.exactly ?? compared;
      // The first condition uses an index, the second is exact.
      entries.where({ actor }).where(knex.raw(`${left} = ${right}`, ['actor', actor]));
    }
    if (actorName !== undefined) entries.where(contains(this.#parts.database.knex, 'actor', actorName));
    if (action !== undefined) entries.where({ action });
    if (tokenName !== undefined) entries.whereIn('token_id', this.#parts.tokensNamed(tokenName));
    if (since !== undefined) entries.where('at', '>=', since);
    if (until !== undefined) entries.where('at', '<', until);
    if (before !== undefined) entries.where('id', '<', before);
    return entries;
  }
}

/** How many entries one query returns at most. */
export const MOST_ENTRIES = 10_000;

const QUERY_KEYS = [
  'tokenId',
  'actor',
  'actorName',
  'action',
  'tokenName',
  'since',
  'until',
  'before',
  'limit',
];

function checkQuery(given: AuditQuery): AuditQuery {
  const query = checkKeys(given, 'A query of the audit trail', QUERY_KEYS);
  const { action, since, until, before, limit = 1 } = query;
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_ENTRIES)
    throw new InvalidInput('limit', `The limit must be a whole number from 1 to ${MOST_ENTRIES}.`);
  for (const name of ['actor', 'actorName', 'tokenName'] as const) {
    if (query[name] !== undefined && typeof query[name] !== 'string')
      throw new InvalidInput(name, `${name} must be a string.`);
  }
  if (before !== undefined && !Number.isSafeInteger(before))
    throw new InvalidInput('before', 'before must be the id of an audit entry.');
  if (action !== undefined && !isAuditAction(action)) {
    throw new InvalidInput('action', `The action must be one of ${auditActions.join(', ')}.`);
  }
  for (const [name, time] of Object.entries({ since, until })) {
    if (time !== undefined && !Number.isSafeInteger(time))
      throw new InvalidInput(name, `${name} must be a whole number of seconds since 1970.`);
  }
  return query;
}

/** The form of an entry in scripts and downloads. */
export function entryJson({ id, at, actor, action, origin, address, tokenId, details }: AuditEntry) {
  return { id, at: rfc3339OfSeconds(at), actor, action, origin, address, token_id: tokenId, details };
}

/** Returns an empty object if the text is not a JSON object, so that the other entries stay readable. @internal */
export function readDetails(text: unknown): AuditEntry['details'] {
  const details = parseJson(String(text));
  return typeof details === 'object' && !Array.isArray(details) ? { ...details } : {};
}

/** How many characters an actor has at most. */
const LONGEST_ACTOR = 128;

/** Whether the value is a valid actor. */
export function isActor(actor: unknown): actor is string {
  return (
    typeof actor === 'string' && actor.trim() !== '' && actor.length <= LONGEST_ACTOR && !actor.includes('\0')
  );
}

/** The origin of an account that changes its own tokens. */
export const ACCOUNT_ORIGIN = 'account-section';

const AUTHOR_KEYS = ['actor', 'origin', 'address'];

/**
 * Returns a copy, so that a later change of the author has no effect. Throws InvalidInput for an invalid author, and for
 * an account, which may not do all that others may.
 */
export function checkAuthor(given: Author): Author {
  const author = checkAnyAuthor(given);
  if (author.accountId === undefined) return author;
  throw new InvalidInput(
    'origin',
    `An author of the origin ${ACCOUNT_ORIGIN} may only create, change, extend, rotate and revoke tokens.`,
  );
}

/** The same for what an account may do too. Only an account has an `accountId`, which is checked where it is looked up. */
export function checkAnyAuthor(given: Author): Author {
  const { actor, origin, address = null, accountId, by } = given ?? {};
  checkActor('actor', 'The actor', actor);
  if (!ORIGINS.includes(origin)) {
    throw new InvalidInput('origin', `The origin must be one of ${ORIGINS.join(', ')}.`);
  }
  if (address !== null && (typeof address !== 'string' || clientAddress({ ip: address }) === 'unknown'))
    throw new InvalidInput('address', 'The address of an author must be an IP address or null.');
  const isAccount = origin === ACCOUNT_ORIGIN;
  checkKeys(given, 'An author', isAccount ? [...AUTHOR_KEYS, 'accountId', 'by'] : AUTHOR_KEYS);
  if (!isAccount) return { actor, origin, address };
  if (accountId === undefined)
    throw new InvalidInput('accountId', `An author of the origin ${ACCOUNT_ORIGIN} needs accountId.`);
  if (by !== undefined) checkActor('by', 'The administrator', by);
  return { actor, origin, address, accountId, ...(by !== undefined && { by }) };
}

function checkActor(property: 'actor' | 'by', who: string, name: unknown): void {
  if (isActor(name)) return;
  throw new InvalidInput(property, `${who} must be a string of 1 to ${LONGEST_ACTOR} characters.`);
}
