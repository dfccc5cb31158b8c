import { randomBytes } from 'node:crypto';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import type { TableNames } from '../database/migrations/tables';

const BYTES = 32;

interface SecretParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly tables: Pick<TableNames, 'settings'>;
}

/** A random key of the module's own, kept in the table of the settings, so that all processes have the same. */
export class StoredSecret {
  readonly #parts: SecretParts;
  readonly #name: string;
  #key: Promise<Buffer> | undefined;

  /** `name` must be the name of no setting. */
  constructor(parts: SecretParts, name: string) {
    this.#parts = parts;
    this.#name = name;
  }

  /** Reads the key, and creates it if none is stored that can be one. Rejects with a DatabaseFailure; the next call tries again. */
  read(): Promise<Buffer> {
    this.#key ??= this.#readOrCreate().catch((error) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** Reads the key from the database again: the tables may have been created anew since the last time. */
  readAgain(): Promise<Buffer> {
    this.#key = undefined;
    return this.read();
  }

  async #readOrCreate(): Promise<Buffer> {
    await this.#parts.migrations.ready();
    const stored = await this.#stored();
    if (stored.length === BYTES) return stored;
    await this.#create();
    // Another process may have been first.
    const created = await this.#stored();
    if (created.length !== BYTES) throw new Error(`The key ${this.#name} could not be created.`);
    return created;
  }

  async #stored(): Promise<Buffer> {
    const { database, tables } = this.#parts;
    const [row] = await database.query('settings.secret', (knex) =>
      knex(tables.settings).select({ value: 'value' }).where({ name: this.#name }),
    );
    return Buffer.from(String(row?.value ?? ''), 'base64url');
  }

  async #create(): Promise<void> {
    const { database, tables } = this.#parts;
    const name = this.#name;
    const value = randomBytes(BYTES).toString('base64url');
    const row = { value, updated_by: 'koa-panel-api', updated_at: database.knex.raw(database.dialect.now) };
    await database.query('settings.createSecret', (knex) =>
      knex(tables.settings)
        .insert({ name, ...row })
        .onConflict('name')
        .ignore(),
    );
    // A text that cannot be a key is replaced.
    await database.query('settings.replaceSecret', (knex) =>
      knex(tables.settings).where({ name }).whereRaw('LENGTH(??) <> ?', ['value', value.length]).update(row),
    );
  }
}
