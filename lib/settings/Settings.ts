import type { AuditLog, Author } from '../audit/AuditLog';
import { checkAuthor } from '../audit/checkAuthor';
import type { Database } from '../database/Database';
import type { Migrations } from '../migrations/Migrations';

const SWITCH = 'enabled';

/** The module's own settings: so far the switch that the administrator turns. */
export class Settings {
  readonly #database: Database;
  readonly #migrations: Migrations;
  readonly #audit: AuditLog;
  readonly #table: string;
  readonly #switchSql: string;

  constructor(database: Database, migrations: Migrations, audit: AuditLog, table: string) {
    this.#database = database;
    this.#migrations = migrations;
    this.#audit = audit;
    this.#table = table;
    this.#switchSql = database.knex(table).select({ value: 'value' }).where({ name: SWITCH }).toSQL().sql;
  }

  /** Whether the API is switched on; it starts off. */
  async enabled(): Promise<boolean> {
    await this.#migrations.ready();
    const [row] = await this.#database.rows('settings.enabled', this.#switchSql, [SWITCH]);
    return row?.value === 'true';
  }

  /** Switches the API on. */
  async enable(author: Author): Promise<void> {
    await this.#turn(true, author);
  }

  /** Switches the API off: every endpoint answers 503 `api_disabled` from then on. */
  async disable(author: Author): Promise<void> {
    await this.#turn(false, author);
  }

  async #turn(on: boolean, author: Author): Promise<void> {
    checkAuthor(author);
    await this.#migrations.ready();
    await this.#database.transaction('settings.turn', async (session) => {
      const [row] = await session.run((knex) =>
        knex(this.#table).select({ value: 'value' }).where({ name: SWITCH }),
      );
      if ((row?.value === 'true') === on) return;
      await session.run((knex) =>
        knex(this.#table)
          .insert({
            name: SWITCH,
            value: String(on),
            updated_at: knex.raw(this.#database.dialect.now),
            updated_by: author.actor,
          })
          .onConflict('name')
          .merge(),
      );
      const [turned] = await session.run((knex) =>
        knex(this.#table).select({ at: 'updated_at' }).where({ name: SWITCH }),
      );
      const action = on ? 'api.enabled' : 'api.disabled';
      await this.#audit.append(session, author, {
        at: Number(turned.at),
        action,
        tokenId: null,
        details: {},
      });
    });
  }
}
