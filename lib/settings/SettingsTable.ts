import type { Author } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { TableNames } from '../database/migrations/tables';
import type { Session } from '../database/Session';
import { declaredSettings, SETTING_KEYS } from './declaredSettings';
import type { Setting, SettingSource } from './Setting';

/** A row of the table, as somebody left it there. */
interface StoredSetting {
  readonly text: string;
  /** Seconds since 1970, by the database's clock. */
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** What is stored, by the names of the settings. */
export type StoredSettings = ReadonlyMap<string, StoredSetting>;

const NAMES = SETTING_KEYS.map((key) => declaredSettings[key].name);

/** The table in which the settings are kept, as texts. */
export class SettingsTable {
  readonly #database: Database;
  readonly #tables: TableNames;
  readonly #readSql: string;

  constructor(database: Database, tables: TableNames) {
    this.#database = database;
    this.#tables = tables;
    this.#readSql = this.#select().toSQL().sql;
  }

  /** Everything that is stored now, in one statement. */
  async read(): Promise<StoredSettings> {
    return byName(await this.#database.rows('settings.read', this.#readSql, NAMES));
  }

  /** The same within a transaction, in which others write nothing from then on until it ends. */
  async readToChange(session: Session): Promise<StoredSettings> {
    // A row that is always there: those of the settings come with the first change of each.
    await session.run((knex) =>
      knex(this.#tables.migrations).select({ name: 'name' }).orderBy('name').limit(1).forUpdate(),
    );
    return byName(await session.run(() => this.#select()));
  }

  /** Stores texts, by the names of their settings, and gives the time that they bear. */
  async write(session: Session, texts: ReadonlyMap<string, string>, { actor }: Author): Promise<number> {
    const table = this.#tables.settings;
    const now = this.#database.knex.raw(this.#database.dialect.now);
    const rows = [...texts].map(([name, value]) => ({ name, value, updated_at: now, updated_by: actor }));
    await session.run((knex) => knex(table).insert(rows).onConflict('name').merge());
    const [row] = await session.run((knex) =>
      knex(table)
        .select({ at: 'updated_at' })
        .whereIn('name', [...texts.keys()])
        .limit(1),
    );
    return Number(row.at);
  }

  #select() {
    return this.#database
      .knex(this.#tables.settings)
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

/** The texts that are stored, by the names of their settings. */
export type StoredTexts = ReadonlyMap<string, { readonly text: string }>;

/** What a setting is by what is stored, or else by default. */
export function storedValue<T>(
  setting: Setting<T>,
  stored: StoredTexts,
): { readonly value: T; readonly source: Exclude<SettingSource, 'panel'> } {
  const row = stored.get(setting.name);
  if (!row) return { value: setting.default, source: 'default' };
  const value = setting.read(row.text);
  return value === undefined ? { value: setting.default, source: 'unreadable' } : { value, source: 'stored' };
}
