import type { Knex } from 'knex';
import type { Author } from '../audit/AuditLog';
import type { OwnTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { declaredSettings, SETTING_KEYS } from './declaredSettings';

interface StoredSetting {
  readonly text: string;
  /** Seconds since 1970, by the database's clock. */
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** The stored settings, by name. */
export type StoredSettings = ReadonlyMap<string, StoredSetting>;

const NAMES = SETTING_KEYS.map((key) => declaredSettings[key].name);

/** The table of the settings. It stores them as text. */
export class SettingsTable {
  readonly #own: OwnTables;
  readonly #readSql: string;

  constructor(own: OwnTables) {
    this.#own = own;
    this.#readSql = this.#select().toSQL().sql;
  }

  /** Reads all settings in one statement. */
  async read(): Promise<StoredSettings> {
    return byName(await this.#own.database.rows('settings.read', this.#readSql, NAMES));
  }

  /** Reads all settings within a transaction. Until it ends, other transactions that call this wait. */
  async readToChange(session: Session): Promise<StoredSettings> {
    // It locks a row that always exists, because a setting has no row before its first change.
    await session.run((knex) =>
      knex(this.#own.tables.migrations).select({ name: 'name' }).orderBy('name').limit(1).forUpdate(),
    );
    return byName(await session.run(() => this.#select()));
  }

  /** Stores texts by the names of their settings. Returns the time that it stored with them. */
  async write(session: Session, texts: ReadonlyMap<string, string>, { actor }: Author): Promise<number> {
    const table = this.#own.tables.settings;
    const rows = [...texts].map(([name, value]) => this.#row(name, value, actor));
    await session.run((knex) => knex(table).insert(rows).onConflict('name').merge());
    const [row] = await session.run((knex) =>
      knex(table)
        .select({ at: 'updated_at' })
        .whereIn('name', [...texts.keys()])
        .limit(1),
    );
    return Number(row.at);
  }

  /** Joins the row of one setting to a query, if it is stored. MariaDB reads such rows faster than those of subqueries. */
  joinSetting(query: Knex.QueryBuilder, name: string, alias: string): void {
    query.leftJoin({ [alias]: this.#own.tables.settings }, (join) => join.onVal(`${alias}.name`, name));
  }

  /** Reads the text stored under a name, which need not be a setting's; undefined if there is none. */
  async readText(name: string): Promise<string | undefined> {
    const [row] = await this.#own.database.query('settings.readText', (knex) =>
      knex(this.#own.tables.settings).select({ text: 'value' }).where({ name }),
    );
    return row && String(row.text);
  }

  /** Replaces the text that was read. Does nothing if another process has changed it since. */
  async replaceText(name: string, read: string | undefined, text: string): Promise<void> {
    const row = this.#row(name, text, 'koa-panel-api');
    await this.#own.database.query<unknown>('settings.replaceText', (knex) => {
      const settings = knex(this.#own.tables.settings);
      return read === undefined
        ? settings.insert(row).onConflict('name').ignore()
        : settings.where({ name, value: read }).update(row);
    });
  }

  #row(name: string, value: string, actor: string) {
    const now = this.#own.database.knex.raw(this.#own.database.dialect.now);
    return { name, value, updated_at: now, updated_by: actor };
  }

  #select() {
    return this.#own.database
      .knex(this.#own.tables.settings)
      .select({ name: 'name', text: 'value', at: 'updated_at', by: 'updated_by' })
      .whereIn('name', NAMES);
  }
}

function byName(rows: readonly Record<string, unknown>[]): StoredSettings {
  return new Map(
    rows.map(({ name, text, at, by }) => [
      String(name),
      { text: String(text), updatedAt: Number(at), updatedBy: String(by) },
    ]),
  );
}
