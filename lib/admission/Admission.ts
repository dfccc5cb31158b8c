import { Batcher } from '../batching/Batcher';
import type { Database } from '../database/Database';
import { ApiError } from '../errors/ApiError';
import type { Migrations } from '../migrations/Migrations';
import type { Settings } from '../settings/Settings';
import type { RequestSettings } from '../settings/SettingValues';
import { type TokenRecord, tokenRecord } from '../tokens/TokenRecord';
import { AdmissionQuery, type AdmissionQueryParts, type TokenRow } from './AdmissionQuery';

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
export class Admission {
  readonly #migrations: Migrations;
  readonly #settings: Settings;
  readonly #readsSettings: boolean;
  readonly #lookUps: Batcher<Buffer | null, LookedUp, Database>;

  constructor({ migrations, settings, ...parts }: AdmissionParts) {
    const keys = settings.keysOfRequests;
    const query = new AdmissionQuery({ ...parts, keys });
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
      enter: (_hash, batch) => parts.database.placed('requests.admission', batch),
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
