import type { Knex } from 'knex';
import { Batcher } from '../async/Batcher';
import type { Database } from '../database/Database';
import type { OwnTable } from '../database/migrations/Migrations';
import { ApiError } from '../errors/ApiError';
import type { RequestSettings, RequestSettingsReader } from '../settings/RequestSettings';
import { TOKEN_COLUMNS, type TokenRecord, tokenRecord } from './TokenRecord';

interface TokenLookupParts extends OwnTable {
  readonly settings: RequestSettingsReader;
}

/** The settings and the token of a request. */
export interface FoundToken {
  /** Null while the API is off. */
  readonly settings: RequestSettings | null;
  /** Null if there is no such token, or if none was looked up. */
  readonly token: TokenRecord | null;
}

/** The token's row as it is stored; see `tokenRecord`. */
interface FoundRow extends Pick<FoundToken, 'settings'> {
  readonly row: Readonly<Record<string, unknown>> | null;
}

/**
 * Looks up the settings and the token of each request in the database. Nothing is kept in memory; requests that arrive
 * together share one statement that starts after all of them.
 */
export class TokenLookup {
  readonly #parts: TokenLookupParts;
  readonly #batches: Batcher<Buffer | null, FoundRow, Database>;
  /** The compiled statements, by the number of their hashes. */
  readonly #statements = new Map<number, Knex.Sql>();

  constructor(parts: TokenLookupParts) {
    this.#parts = parts;
    this.#batches = new Batcher((hashes, inSlot) => this.#lookUp(hashes, inSlot), {
      enter: (_hash, batch) => parts.database.withSlot('tokens.lookup', batch),
    });
  }

  /**
   * Whether the mount's option turns the API off, which needs no query of this module. Rejects with ApiError
   * `unavailable` if the panel's function fails: as a rule it reads the panel's database.
   */
  async isOffByPanel(): Promise<boolean> {
    return this.#parts.settings.isOffByPanel().catch((error) => {
      throw new ApiError('unavailable', {}, error);
    });
  }

  /** `hash` is that of the request's token; null if no token is to be looked up. Rejects with a DatabaseFailure. */
  async ask(hash: Buffer | null): Promise<FoundToken> {
    const { migrations, settings } = this.#parts;
    // Typos and guesses cost no query if the mount's options fix all settings.
    if (hash === null && settings.areFixed) return { settings: settings.read(), token: null };
    // The migrations need a slot of their own, and so run before the batch has one.
    await migrations.ready();
    const found = await this.#batches.ask(hash);
    // A row that cannot be read fails the requests of its token alone.
    return { settings: found.settings, token: found.row && tokenRecord(found.row) };
  }

  async #lookUp(asked: readonly (Buffer | null)[], inSlot: Database): Promise<readonly FoundRow[]> {
    const keys = asked.map((hash) => hash?.toString('hex'));
    const hashes = new Map(asked.flatMap((hash, index) => (hash ? [[keys[index], hash]] : [])));
    const { sql, bindings } = this.#statement([...hashes.values()]);
    const rows = await inSlot.rows('tokens.lookup', sql, bindings);
    const settings = this.#parts.settings.read(rows[0]);
    const rowsByHash = new Map(rows.map((row) => [String(row.hex).toLowerCase(), row]));
    return keys.map((key) => ({ settings, row: (key && rowsByHash.get(key)) || null }));
  }

  #statement(hashes: readonly Buffer[]): { sql: string; bindings: Knex.RawBinding[] } {
    // The statements have few lengths, so that each is compiled once; the last hash is repeated to fill one up.
    const length = hashes.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(hashes.length));
    let compiled = this.#statements.get(length);
    if (!compiled) {
      compiled = this.#query(length).toSQL();
      this.#statements.set(length, compiled);
    }
    let next = 0;
    const bindings = compiled.bindings.map((value) =>
      Buffer.isBuffer(value)
        ? (hashes[Math.min(next++, hashes.length - 1)] as Buffer)
        : (value as Knex.RawBinding),
    );
    return { sql: compiled.sql, bindings };
  }

  /** Reads the settings in one row, or in the rows of the tokens that it finds. Finds none while the stored switch is off. */
  #query(length: number): Knex.QueryBuilder {
    const { database, table, settings } = this.#parts;
    const { knex, dialect } = database;
    const query = knex
      .queryBuilder()
      .select(settings.columns)
      .from(knex.raw('(SELECT 1 AS one) AS ??', ['request']));
    if (length === 0) return query;
    const { switchedOn } = settings;
    return query
      .select(
        Object.fromEntries(Object.entries(TOKEN_COLUMNS).map(([as, column]) => [as, `token.${column}`])),
      )
      .select({ clock: knex.raw(dialect.now), hex: knex.raw(dialect.hexSql, ['token.hash']) })
      .leftJoin({ token: table }, (join) => {
        join.onIn(
          'token.hash',
          Array.from({ length }, () => Buffer.alloc(32)),
        );
        if (switchedOn) join.on(knex.raw('EXISTS ?', [switchedOn]));
      });
  }
}
