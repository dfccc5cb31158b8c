import { randomBytes } from 'node:crypto';
import type { Migrations, ModuleTables } from '../database/migrations/Migrations';
import { replaceText, storedText } from './settingsTable';

const BYTES = 32;

/** A random key that all processes share. It is stored in the table of the settings. */
export class StoredSecret {
  readonly #moduleTables: ModuleTables;
  readonly #name: string;
  #key: Promise<Buffer> | undefined;

  /** `name` must not be the name of a setting. */
  constructor({ migrations }: { readonly migrations: Migrations }, name: string) {
    this.#moduleTables = migrations.moduleTables;
    this.#name = name;
  }

  /**
   * Reads the key. Creates it if none is stored, and replaces an invalid one. Rejects with a DatabaseFailure; the next
   * call tries again.
   */
  read(): Promise<Buffer> {
    this.#key ??= this.#readOrCreate().catch((error) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** Reads the key from the database again, because the tables may have been created anew. */
  readAgain(): Promise<Buffer> {
    this.#key = undefined;
    return this.read();
  }

  async #readOrCreate(): Promise<Buffer> {
    const text = await storedText(this.#moduleTables, this.#name);
    const stored = keyOf(text);
    if (stored) return stored;
    await replaceText(this.#moduleTables, this.#name, randomBytes(BYTES).toString('base64url'), text);
    // Another process may have stored one first.
    const created = keyOf(await storedText(this.#moduleTables, this.#name));
    if (!created) throw new Error(`The key ${this.#name} could not be created.`);
    return created;
  }
}

/** Returns null if the text is no valid key. */
function keyOf(text = ''): Buffer | null {
  const key = Buffer.from(text, 'base64url');
  return key.length === BYTES ? key : null;
}
