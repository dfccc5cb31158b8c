import { randomBytes } from 'node:crypto';
import type { Installation } from '../../lib/Installation';

const NAME = 'section_form_key';

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

  /** The key, made when there is none yet. Rejects with a DatabaseFailure, and tries again at the next call. */
  read(): Promise<Buffer> {
    this.#key ??= this.#readOrMake().catch((error) => {
      this.#key = undefined;
      throw error;
    });
    return this.#key;
  }

  async #readOrMake(): Promise<Buffer> {
    const { database, migrations, tables } = this.#installation;
    await migrations.ready();
    const find = () =>
      database.query('section.key', (knex) =>
        knex(tables.settings).select({ value: 'value' }).where({ name: NAME }),
      );
    const [known] = await find();
    if (known) return Buffer.from(String(known.value), 'base64url');
    await database.query('section.makeKey', (knex) =>
      knex(tables.settings)
        .insert({
          name: NAME,
          value: randomBytes(32).toString('base64url'),
          updated_at: knex.raw(database.dialect.now),
          updated_by: 'koa-panel-api',
        })
        .onConflict('name')
        .ignore(),
    );
    // Another process may have been first.
    const [made] = await find();
    return Buffer.from(String(made?.value), 'base64url');
  }
}
