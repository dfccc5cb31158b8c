import type { Knex } from 'knex';
import { Batcher } from '../async/Batcher';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { CausalReads } from '../database/Dialect';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Slot } from '../database/Slot';
import type { Rows } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import type { RequestSettings, RequestSettingsReader } from '../settings/RequestSettings';
import { lastUseColumns } from './lastUse';
import type { RequestToken, TokenRecord } from './TokenRecord';
import { readLastUse, requestToken, TOKEN_COLUMNS } from './tokenRows';

interface TokenLookupParts extends ModuleTables {
  readonly settings: RequestSettingsReader;
  /** Whether the panel is told of events of tokens. */
  readonly tellsEvents: boolean;
}

/** The settings and the token of a request. */
export interface Found {
  /** Null if the API is off. */
  readonly settings: RequestSettings | null;
  /** Null if the token does not exist, or none was to be looked up. */
  readonly token: FoundToken | null;
}

/** The token of a request, with what its events depend on. */
export interface FoundToken extends RequestToken {
  /** The last use before the request. Null if the panel is not told of events, like the others. */
  readonly lastUse: Pick<TokenRecord, 'lastUsedAt' | 'lastUsedAddress'> | null;
  /** How many days before its end the panel was told of that last; 0 if it was told of the end, null if of nothing. */
  readonly toldDays: number | null;
  /** The networks that it was used from, with spaces between them; null if none is stored. */
  readonly seenNetworks: string | null;
}

const EVENT_COLUMNS = { told: 'told_days', networks: 'seen_networks' } as const;

function foundToken(row: Readonly<Record<string, unknown>>): FoundToken {
  const { told = null, networks = null, used } = row;
  const toldDays = told === null ? null : Number(told);
  const seenNetworks = networks === null ? null : String(networks);
  return {
    ...requestToken(row),
    toldDays,
    seenNetworks,
    lastUse: used === undefined ? null : readLastUse(row),
  };
}

/** A token's row as stored; see `foundToken`. */
interface FoundRow extends Pick<Found, 'settings'> {
  readonly row: Readonly<Record<string, unknown>> | null;
}

/**
 * Looks up the settings and the token of each request in the database. Nothing is cached. Requests that arrive together
 * share one statement, which starts after the last of them has arrived. On a node of a cluster it waits until the node
 * has every revocation; elsewhere that wait would cost a third of the look-up, so each answer says whether it is needed.
 */
export class TokenLookup {
  readonly #parts: TokenLookupParts;
  readonly #batches: Batcher<Buffer | null, FoundRow, Slot>;
  /** The compiled statements, by their number of hashes. */
  readonly #statements = new Map<number, Knex.Sql>();
  /** Absent if the server can be no node of a cluster. */
  #causalReads: CausalReads | undefined;
  /** Whether the last answer came from a node of a cluster. */
  #onNode = false;
  /** Whether the last answer, if there was one, said that no setting is stored. */
  #isEmpty = true;

  constructor(parts: TokenLookupParts) {
    const { database } = parts;
    this.#parts = parts;
    this.#causalReads = database.dialect.causalReads;
    this.#batches = new Batcher({
      run: this.#lookUp.bind(this),
      enter: (batch) => database.withSlot('tokens.lookup', batch),
    });
  }

  /**
   * Whether the mount option turns the API off; that needs no query of the module's own. Rejects with ApiError
   * `unavailable` if the panel's function fails, because it usually reads the panel's database.
   */
  async isOffByPanel(): Promise<boolean> {
    return this.#parts.settings.isOffByPanel().catch((error) => {
      throw new ApiError('unavailable', {}, error);
    });
  }

  /** Looks up the token with this hash, or only the settings if it is null. Rejects with a DatabaseFailure. */
  async ask(hash: Buffer | null): Promise<Found> {
    const { settings } = this.#parts;
    // An invalid token costs no query if mount options override all settings.
    if (hash === null && settings.areFixed) return { settings: settings.read(), token: null };
    const found = await this.#batches.ask(hash);
    // If a row is unreadable, only the requests of its token fail.
    return { settings: found.settings, token: found.row && foundToken(found.row) };
  }

  async #lookUp(asked: readonly (Buffer | null)[], slot: Slot): Promise<readonly FoundRow[]> {
    const keys = asked.map((hash) => hash?.toString('hex'));
    const hashes = new Map(asked.flatMap((hash, index) => (hash ? [[keys[index], hash]] : [])));
    const rows = await this.#select([...hashes.values()], slot);
    // A row is returned even if no token is found. Anything else says nothing about the tokens.
    const isWhole = (row: Rows[number]) =>
      row.setting !== undefined && (row.hex !== undefined || hashes.size === 0);
    const isAnswer = rows.length > 0 && rows.every(isWhole);
    if (!isAnswer) throw new DatabaseFailure('tokens.lookup', 'UNKNOWN_ANSWER');
    const settings = this.#parts.settings.read(rows);
    const found = rows.filter(({ hex = null }) => hex !== null);
    const rowsByHash = new Map(found.map((row) => [String(row.hex).toLowerCase(), row]));
    return keys.map((key) => ({ settings, row: (key && rowsByHash.get(key)) || null }));
  }

  /** Selects again with the wait if a node of a cluster answered without it, or if no setting is stored. */
  async #select(hashes: readonly Buffer[], slot: Slot): Promise<Rows> {
    const mayBeEmpty = this.#isEmpty;
    const { sql, bindings } = this.#statement(hashes);
    const known = this.#causalReads;
    const waited = this.#onNode && known;
    try {
      const rows = await slot.rows('tokens.lookup', waited ? waited.wait(sql) : sql, bindings);
      const hasNone = rows.length === 0 || rows[0]?.setting === null;
      if (this.#isEmpty !== hasNone) this.#statements.clear();
      this.#isEmpty = hasNone;
      if (rows.length === 0 && !mayBeEmpty) return this.#select(hashes, slot);
      this.#onNode = Number(rows[0]?.node) === 1;
      if (waited || !this.#onNode) return rows;
    } catch (error) {
      if (!(error instanceof DatabaseFailure && known?.isUnknown(error))) throw error;
      this.#causalReads = undefined;
      this.#statements.clear();
    }
    return this.#select(hashes, slot);
  }

  #statement(hashes: readonly Buffer[]): { sql: string; bindings: Knex.RawBinding[] } {
    const { length } = hashes;
    const compiled = this.#statements.get(length) ?? this.#query(length).toSQL();
    this.#statements.set(length, compiled);
    const left = [...hashes];
    const bindings = compiled.bindings.map((value) => (Buffer.isBuffer(value) ? left.shift() : value));
    return { sql: compiled.sql, bindings: bindings as Knex.RawBinding[] };
  }

  /** Selects the settings, each in a row, with each token that is found. Finds none while the stored switch is off. */
  #query(length: number): Knex.QueryBuilder {
    const { database, tables, settings, tellsEvents } = this.#parts;
    const { knex, dialect } = database;
    const query = settings.query(knex, this.#isEmpty);
    if (this.#causalReads) query.select({ node: knex.raw(this.#causalReads.isNodeSql) });
    if (length === 0) return query;
    if (tellsEvents) query.select(lastUseColumns(this.#parts, 'token'));
    const columns = Object.entries({ ...TOKEN_COLUMNS, ...(tellsEvents ? EVENT_COLUMNS : {}) });
    return query
      .select(Object.fromEntries(columns.map(([as, column]) => [as, `token.${column}`])))
      .select({ clock: knex.raw(dialect.now), hex: knex.raw(dialect.hexSql, ['token.hash']) })
      .leftJoin({ token: tables.tokens }, (join) => {
        join.onIn(
          'token.hash',
          Array.from({ length }, () => Buffer.alloc(32)),
        );
        settings.requireSwitchedOn(join);
      });
  }
}
