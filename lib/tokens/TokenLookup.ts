import type { Knex } from 'knex';
import { Batcher } from '../async/Batcher';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import type { TableNames } from '../database/migrations/tables';
import { ApiError } from '../errors/ApiError';
import { declaredSettings } from '../settings/declaredSettings';
import type { RequestSettings, SettingKey } from '../settings/Setting';
import type { Settings } from '../settings/Settings';
import type { StoredTexts } from '../settings/SettingsTable';
import { TOKEN_COLUMNS, type TokenRecord, tokenRecord } from './TokenRecord';

/** What a request is told before it may ask for anything. */
export interface Admitted {
  /** Null while the API is off. */
  readonly settings: RequestSettings | null;
  /** Whose request it is; null for a token that is not known, and where none was read. */
  readonly token: TokenRecord | null;
}

/** What a look-up found for one request. */
interface LookedUp {
  readonly settings: RequestSettings | null;
  readonly row: TokenRow | null;
}

type AdmissionParts = Omit<AdmissionQueryParts, 'keys'> & {
  readonly migrations: Migrations;
  readonly settings: Settings;
};

/**
 * Tells each request how the settings stand and which token it bears, as the database has it at that moment: nothing is
 * kept, and requests that arrive together share one statement that starts after all of them.
 */
export class TokenLookup {
  readonly #migrations: Migrations;
  readonly #settings: Settings;
  readonly #readsSettings: boolean;
  readonly #lookUps: Batcher<Buffer | null, LookedUp, Database>;

  constructor({ migrations, settings, ...parts }: AdmissionParts) {
    const keys = settings.keysOfRequests;
    const query = new TokenLookupQuery({ ...parts, keys });
    this.#migrations = migrations;
    this.#settings = settings;
    this.#readsSettings = keys.length > 0;
    const lookUp = async (asked: readonly (Buffer | null)[], database: Database) => {
      const hashes = new Map(asked.flatMap((hash) => (hash ? [[hash.toString('hex'), hash]] : [])));
      const { texts, tokens } = await query.read([...hashes.values()], database);
      const held = settings.ofRequest(texts);
      return asked.map((hash) => ({
        settings: held,
        row: (hash && tokens.get(hash.toString('hex'))) ?? null,
      }));
    };
    this.#lookUps = new Batcher(lookUp, {
      enter: (_hash, batch) => parts.database.placed('tokens.lookup', batch),
    });
  }

  /** Whether the panel's own switch is off, which needs no database. Rejects with ApiError `unavailable` if it fails. */
  async isOffByPanel(): Promise<boolean> {
    return this.#settings.isOffByPanel().catch(unanswered);
  }

  /** `hash` is that of the request's token; null if no token is to be read. Rejects with a DatabaseFailure. */
  async ask(hash: Buffer | null): Promise<Admitted> {
    // Typos and guesses cost no query where the mount's options fix everything.
    const looks = hash !== null || this.#readsSettings;
    if (!looks) return { settings: this.#settings.ofRequest(new Map()), token: null };
    // Before there is a place: the migrations need their own.
    await this.#migrations.ready();
    const { settings, row } = await this.#lookUps.ask(hash);
    // A row that cannot be read fails the requests of its token alone.
    return { settings, token: row && tokenRecord(row) };
  }
}

// The panel's own function reads its database as a rule, and fails with it.
function unanswered(error: unknown): never {
  throw new ApiError('unavailable', {}, error);
}

interface AdmissionQueryParts {
  readonly database: Database;
  readonly tables: Pick<TableNames, 'settings' | 'tokens'>;
  /** The settings that are read from the table; the others are fixed by the mount. */
  readonly keys: readonly SettingKey[];
}

/** A token's row as it was found, to be read by `tokenRecord`. */
type TokenRow = Readonly<Record<string, unknown>>;

/** What one statement found. */
interface Found {
  readonly texts: StoredTexts;
  /** The rows of the tokens, by their hashes in lower-case hex. */
  readonly tokens: ReadonlyMap<string, TokenRow>;
}

/**
 * Reads in one statement the settings that a request needs and the tokens of as many requests as there are. Where the
 * switch is kept in the table, the statement itself sees to it that no token is read while the API is off.
 */
class TokenLookupQuery {
  readonly #parts: AdmissionQueryParts;
  readonly #names: readonly string[];
  /** The statements by the number of their hashes. */
  readonly #compiled = new Map<number, Knex.Sql>();

  constructor(parts: AdmissionQueryParts) {
    this.#parts = parts;
    this.#names = parts.keys.map((key) => declaredSettings[key].name);
  }

  /** There must be something to read: a setting or a token. `database` has a place already. */
  async read(hashes: readonly Buffer[], database: Database): Promise<Found> {
    const { sql, bindings } = this.#statement(hashes);
    const rows = await database.rows('tokens.lookup', sql, bindings);
    const texts = this.#names.map((name, index) => [name, rows[0]?.[cell(index)] ?? null] as const);
    const found = rows.filter(({ hex }) => typeof hex === 'string');
    return {
      texts: new Map(
        texts.flatMap(([name, text]) => (text === null ? [] : [[name, { text: String(text) }]])),
      ),
      tokens: new Map(found.map((row) => [String(row.hex).toLowerCase(), row])),
    };
  }

  #statement(hashes: readonly Buffer[]): { sql: string; bindings: Knex.RawBinding[] } {
    // Of a few lengths only, each compiled once; a hash that stands there twice finds no more.
    const length = hashes.length === 0 ? 0 : 2 ** Math.ceil(Math.log2(hashes.length));
    let compiled = this.#compiled.get(length);
    if (!compiled) {
      compiled = this.#query(length).toSQL();
      this.#compiled.set(length, compiled);
    }
    let next = 0;
    const bindings = compiled.bindings.map((value) =>
      Buffer.isBuffer(value)
        ? (hashes[Math.min(next++, hashes.length - 1)] as Buffer)
        : (value as Knex.RawBinding),
    );
    return { sql: compiled.sql, bindings };
  }

  #query(length: number): Knex.QueryBuilder {
    const { database, tables, keys } = this.#parts;
    const { knex, dialect } = database;
    const stored = (name: string) => knex(tables.settings).where({ name });
    const query = knex
      .queryBuilder()
      .select(this.#names.map((name, index) => stored(name).select('value').as(cell(index))))
      .from(knex.raw('(SELECT 1 AS one) AS ??', ['request']));
    if (length === 0) return query;
    const { name, write } = declaredSettings.enabled;
    const one = knex.raw('1');
    return query
      .select(
        Object.fromEntries(Object.entries(TOKEN_COLUMNS).map(([as, column]) => [as, `token.${column}`])),
      )
      .select({ clock: knex.raw(dialect.now), hex: knex.raw(dialect.hexSql, ['token.hash']) })
      .leftJoin({ token: tables.tokens }, (join) => {
        join.onIn(
          'token.hash',
          Array.from({ length }, () => Buffer.alloc(32)),
        );
        if (keys.includes('enabled'))
          join.onExists((query) =>
            query
              .select(one)
              .from(tables.settings)
              .where({ name, value: write(true) }),
          );
      });
  }
}

/** Numbered names pass unchanged through a handle that renames columns. */
function cell(position: number): string {
  return `c${position}`;
}
