import type { Knex } from 'knex';
import { Batcher } from '../async/Batcher';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { CausalReads } from '../database/Dialect';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Slot } from '../database/Slot';
import { ApiError } from '../errors/ApiError';
import type { RequestSettings, RequestSettingsReader } from '../settings/RequestSettings';
import { lastUseColumns } from './lastUse';
import type { RequestToken, TokenRecord } from './TokenRecord';
import { readLastUse, requestToken, TOKEN_COLUMNS } from './tokenRows';

interface TokenLookupParts extends OwnTables {
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

export type TokenLookup = ReturnType<typeof tokenLookup>;

/**
 * Looks up the settings and the token of each request in the database. Nothing is cached. Requests that arrive together
 * share one statement, which starts after the last of them has arrived. On a node of a cluster it waits until the node
 * has every revocation; elsewhere that wait would cost a third of the look-up, so each answer says whether it is needed.
 */
export function tokenLookup({ settings, tellsEvents, ...own }: TokenLookupParts) {
  const { database, tables } = own;
  const { knex, dialect } = database;
  const columns = { ...TOKEN_COLUMNS, ...(tellsEvents ? EVENT_COLUMNS : {}) };
  /** The compiled statements, by their number of hashes. */
  const statements = new Map<number, Knex.Sql>();
  /** Absent if the server can be no node of a cluster. */
  let causalReads: CausalReads | undefined = dialect.causalReads;
  /** Whether the last answer came from a node of a cluster. */
  let onNode = false;
  /** Whether the last answer, if there was one, said that no setting is stored. */
  let isEmpty = true;

  async function lookUp(asked: readonly (Buffer | null)[], slot: Slot): Promise<readonly FoundRow[]> {
    const keys = asked.map((hash) => hash?.toString('hex'));
    const hashes = new Map(asked.flatMap((hash, index) => (hash ? [[keys[index], hash]] : [])));
    const rows = await select([...hashes.values()], slot);
    // A row is returned even if no token is found. Anything else says nothing about the tokens.
    const names = hashes.size === 0 ? ['setting'] : ['setting', 'hex'];
    const isAnswer = rows.length > 0 && rows.every((row) => names.every((name) => row[name] !== undefined));
    if (!isAnswer) throw new DatabaseFailure('tokens.lookup', 'UNKNOWN_ANSWER');
    const found = settings.read(rows);
    const rowsByHash = new Map(rows.map((row) => [String(row.hex).toLowerCase(), row]));
    return keys.map((key) => ({ settings: found, row: (key && rowsByHash.get(key)) || null }));
  }

  /** Selects again with the wait if a node of a cluster answered without it, or if no setting is stored. */
  async function select(hashes: readonly Buffer[], slot: Slot): Promise<readonly Record<string, unknown>[]> {
    const mayBeEmpty = isEmpty;
    const { sql, bindings } = statement(hashes);
    const known = causalReads;
    const waited = onNode && known;
    try {
      const rows = await slot.rows('tokens.lookup', waited ? waited.wait(sql) : sql, bindings);
      const hasNone = rows.length === 0 || rows[0]?.setting === null;
      if (isEmpty !== hasNone) statements.clear();
      isEmpty = hasNone;
      if (rows.length === 0 && !mayBeEmpty) return select(hashes, slot);
      onNode = Number(rows[0]?.node) === 1;
      if (waited || !onNode) return rows;
    } catch (error) {
      if (!(error instanceof DatabaseFailure && known?.isUnknown(error))) throw error;
      causalReads = undefined;
      statements.clear();
    }
    return select(hashes, slot);
  }

  function statement(hashes: readonly Buffer[]): { sql: string; bindings: Knex.RawBinding[] } {
    // Lengths are powers of two, so that few statements are compiled; the last hash is repeated to fill one up.
    const length = hashes.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(hashes.length));
    const compiled = statements.get(length) ?? queryOf(length).toSQL();
    statements.set(length, compiled);
    let next = 0;
    const bindings = compiled.bindings.map((value) =>
      Buffer.isBuffer(value)
        ? (hashes[Math.min(next++, hashes.length - 1)] as Buffer)
        : (value as Knex.RawBinding),
    );
    return { sql: compiled.sql, bindings };
  }

  /** Selects the settings, each in a row, with each token that is found. Finds none while the stored switch is off. */
  function queryOf(length: number): Knex.QueryBuilder {
    const query = settings.query(knex, isEmpty);
    if (causalReads) query.select({ node: knex.raw(causalReads.isNodeSql) });
    if (length === 0) return query;
    if (tellsEvents) query.select(lastUseColumns(own, 'token'));
    return query
      .select(Object.fromEntries(Object.entries(columns).map(([as, column]) => [as, `token.${column}`])))
      .select({ clock: knex.raw(dialect.now), hex: knex.raw(dialect.hexSql, ['token.hash']) })
      .leftJoin({ token: tables.tokens }, (join) => {
        join.onIn(
          'token.hash',
          Array.from({ length }, () => Buffer.alloc(32)),
        );
        settings.requireSwitchedOn(join);
      });
  }

  const batches = new Batcher({
    run: lookUp,
    enter: (batch) => database.withSlot('tokens.lookup', batch),
  });

  return {
    /**
     * Whether the mount option turns the API off; that needs no query of the module's own. Rejects with ApiError
     * `unavailable` if the panel's function fails, because it usually reads the panel's database.
     */
    async isOffByPanel(): Promise<boolean> {
      return settings.isOffByPanel().catch((error) => {
        throw new ApiError('unavailable', {}, error);
      });
    },

    /** Looks up the token with this hash, or only the settings if it is null. Rejects with a DatabaseFailure. */
    async ask(hash: Buffer | null): Promise<Found> {
      // An invalid token costs no query if mount options override all settings.
      if (hash === null && settings.areFixed) return { settings: settings.read(), token: null };
      const found = await batches.ask(hash);
      // If a row is unreadable, only the requests of its token fail.
      return { settings: found.settings, token: found.row && foundToken(found.row) };
    },
  };
}
