import type { Knex } from 'knex';
import type { Author } from '../audit/AuditLog';
import type { ModuleTables } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import type { Rows } from '../database/Statement';
import { declaredSettings, SETTING_KEYS } from './declaredSettings';

// The table of the settings. It stores them as text.

interface StoredSetting {
  readonly text: string;
  /** Seconds since 1970, by the database's clock. */
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** The stored settings, by name. */
export type StoredSettings = ReadonlyMap<string, StoredSetting>;

/** Reads all settings in one statement. */
export async function readSettings(moduleTables: ModuleTables): Promise<StoredSettings> {
  return byName(await moduleTables.database.query('settings.read', () => selectSettings(moduleTables)));
}

/** Reads all settings within a transaction. Until it ends, other transactions that call this wait. */
export async function readToChange(moduleTables: ModuleTables, session: Session): Promise<StoredSettings> {
  // It locks a row that always exists, because a setting has no row before its first change.
  await session.run((knex) =>
    knex(moduleTables.tables.migrations).select({ name: 'name' }).orderBy('name').limit(1).forUpdate(),
  );
  return byName(await session.run(() => selectSettings(moduleTables)));
}

/** Who stores what is no setting. */
const MODULE = { actor: 'koa-panel-api' } as const;

/** Stores texts by the names of their settings. */
export async function storeTexts(
  moduleTables: ModuleTables,
  session: Session,
  texts: ReadonlyMap<string, string>,
  { actor }: Pick<Author, 'actor'> = MODULE,
): Promise<void> {
  const rows = [...texts].map(([name, value]) => rowOf(moduleTables, name, value, actor));
  await session.run((knex) => knex(moduleTables.tables.settings).insert(rows).onConflict('name').merge());
}

/** The same. Returns the time that it stored with them. */
export async function writeSettings(
  moduleTables: ModuleTables,
  session: Session,
  texts: ReadonlyMap<string, string>,
  author: Author,
): Promise<number> {
  await storeTexts(moduleTables, session, texts, author);
  const table = moduleTables.tables.settings;
  const [row] = await session.run((knex) =>
    knex(table)
      .select({ at: 'updated_at' })
      .whereIn('name', [...texts.keys()])
      .limit(1),
  );
  return Number(row.at);
}

/** What is stored beside the settings and read by their names. */
export const INSTALLATION_ID = 'installation_id';
/** Whose database it is, as the mount option says. */
export const INSTALLATION_NAME = 'installation_name';
/** That the database was set back, until an administrator has decided what follows. */
export const LOST_HISTORY = 'lost_history';

/** Selects the text stored under a name, for a column of another query. */
export function selectText({ database, tables }: ModuleTables, name: string): Knex.QueryBuilder {
  return database.knex(tables.settings).select('value').where({ name });
}

/** Reads the text stored under a name, which need not be a setting's; undefined if there is none. */
export async function storedText(moduleTables: ModuleTables, name: string) {
  const { database } = moduleTables;
  const [row] = await database.query('settings.readText', () => selectText(moduleTables, name));
  return row === undefined ? undefined : String(row.value);
}

/** Replaces the text that was read, if there was one. Does nothing if another process has changed it since. */
export async function replaceText(moduleTables: ModuleTables, name: string, text: string, read?: string) {
  const row = rowOf(moduleTables, name, text, MODULE.actor);
  await moduleTables.database.query<unknown>('settings.replaceText', (knex) => {
    const settings = knex(moduleTables.tables.settings);
    return read === undefined
      ? settings.insert(row).onConflict('name').ignore()
      : settings.where({ name, value: read }).update(row);
  });
}

function rowOf({ database: { knex, dialect } }: ModuleTables, name: string, value: string, actor: string) {
  return { name, value, updated_at: knex.raw(dialect.now), updated_by: actor };
}

function selectSettings({ database, tables }: ModuleTables) {
  const names = SETTING_KEYS.map((key) => declaredSettings[key].name);
  return database
    .knex(tables.settings)
    .select({ name: 'name', text: 'value', at: 'updated_at', by: 'updated_by' })
    .whereIn('name', names);
}

function byName(rows: Rows): StoredSettings {
  return new Map(
    rows.map(({ name, text, at, by }) => [
      String(name),
      { text: String(text), updatedAt: Number(at), updatedBy: String(by) },
    ]),
  );
}
