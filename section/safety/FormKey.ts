import { randomBytes } from 'node:crypto';
import type { Installation } from '../../lib/Installation';

const NAME = 'section_form_key';
const LENGTH = 32;

/**
 * The secret by which the section knows its own forms again. It is kept in the module's settings, so that a form of
 * one process may be sent to another.
 */
export class FormKey {
  readonly #installation: Pick<Installation, 'database' | 'migrations' | 'tables'>;
  #key: Promise<Buffer> | undefined;

  constructor(installation: Pick<Installation, 'database' | 'migrations' | 'tables'>) {
    this.#installation = installation;
  }

  /** The key, made when there is none that could be one. Rejects with a DatabaseFailure, and tries again the next time. */
  read(): Promise<Buffer> {
    this.#key ??= this.#readOrMake().catch((error) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  /** The key as it is now: the tables may have been made anew since the last look. */
  readAgain(): Promise<Buffer> {
    this.#key = undefined;
    return this.read();
  }

  async #readOrMake(): Promise<Buffer> {
    await this.#installation.migrations.ready();
    const known = await this.#stored();
    if (known.length === LENGTH) return known;
    await this.#make();
    // Another process may have been first.
    const made = await this.#stored();
    if (made.length !== LENGTH) throw new Error('The key of the forms could not be made.');
    return made;
  }

  async #stored(): Promise<Buffer> {
    const { database, tables } = this.#installation;
    const [row] = await database.query('section.key', (knex) =>
      knex(tables.settings).select({ value: 'value' }).where({ name: NAME }),
    );
    return Buffer.from(String(row?.value ?? ''), 'base64url');
  }

  async #make(): Promise<void> {
    const { database, tables } = this.#installation;
    const value = randomBytes(LENGTH).toString('base64url');
    const row = { value, updated_by: 'koa-panel-api', updated_at: database.knex.raw(database.dialect.now) };
    await database.query('section.makeKey', (knex) =>
      knex(tables.settings)
        .insert({ name: NAME, ...row })
        .onConflict('name')
        .ignore(),
    );
    // What cannot be a key gives way to one.
    await database.query('section.mendKey', (knex) =>
      knex(tables.settings)
        .where({ name: NAME })
        .whereRaw('LENGTH(??) <> ?', ['value', value.length])
        .update(row),
    );
  }
}
