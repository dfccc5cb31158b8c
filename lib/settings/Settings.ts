import { type AuditLog, type Author, checkAuthor } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import type { TableNames } from '../database/migrations/tables';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../errors/printable';
import { declaredSettings, SETTING_KEYS } from './declaredSettings';
import {
  type FixingOptions,
  REQUEST_KEYS,
  type RequestSettings,
  type Setting,
  type SettingDescription,
  type SettingKey,
  type SettingValues,
} from './Setting';
import { SettingsTable, type StoredSettings, type StoredTexts, storedValue } from './SettingsTable';

interface SettingsParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly tables: TableNames;
  readonly options: FixingOptions;
}

/**
 * The module's own settings. What the mount's options say holds, else what is stored, else the default. Nothing is
 * kept in memory: a change in one process holds for the next request in every other.
 */
export class Settings {
  readonly #parts: SettingsParts;
  readonly #table: SettingsTable;
  readonly #writer: SettingsWriter;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
    this.#table = new SettingsTable(parts.database, parts.tables);
    this.#writer = new SettingsWriter(parts.database, parts.audit, this.#table);
  }

  /** All settings as they hold now, in one statement. Rejects where the option `enabled` is a function that does. */
  async read(): Promise<SettingValues> {
    const stored = await this.#stored();
    const values = SETTING_KEYS.map(async (key) => [key, await this.#value(key, stored)] as const);
    return Object.fromEntries(await Promise.all(values)) as unknown as SettingValues;
  }

  /** One setting as it holds now. */
  async get<K extends SettingKey>(key: K): Promise<SettingValues[K]> {
    return this.#value(key, this.#isFixed(key) ? new Map() : await this.#stored());
  }

  /** All settings as they hold now, with why, since when and by whom, in the order in which people see them. */
  async describe(): Promise<readonly SettingDescription[]> {
    const stored = await this.#stored();
    return Promise.all(SETTING_KEYS.map((key) => this.#description(key, stored)));
  }

  /**
   * Sets those that differ, all or none, in one transaction with the audit entries: `settings.changed` says from what
   * to what, and the switch has its own, `api.enabled` and `api.disabled`. Throws InvalidInput for a setting that is
   * unknown or wrong, or that the mount's options fix; then nothing is written.
   */
  async change(values: Partial<SettingValues>, author: Author): Promise<void> {
    checkAuthor(author);
    await this.#write(checkChanges(values, this.#parts.options), author);
  }

  /** Whether the module's own switch is on; it starts off. It decides nothing beside the option `enabled`. */
  async enabled(): Promise<boolean> {
    return storedValue(declaredSettings.enabled, await this.#stored()).value;
  }

  /** Turns the module's own switch on. */
  async enable(author: Author): Promise<void> {
    checkAuthor(author);
    await this.#write(new Map([['enabled', true]]), author);
  }

  /** Turns the module's own switch off: every endpoint answers 503 `api_disabled` from then on. */
  async disable(author: Author): Promise<void> {
    checkAuthor(author);
    await this.#write(new Map([['enabled', false]]), author);
  }

  /** Whether the mount's own switch is off. Rejects where the option `enabled` is a function that does. */
  async isOffByPanel(): Promise<boolean> {
    return this.#isFixed('enabled') && !(await this.#value('enabled', new Map()));
  }

  /** The settings whose stored texts a request needs: none where the mount's options fix everything. */
  get keysOfRequests(): readonly SettingKey[] {
    return (['enabled', ...REQUEST_KEYS] as const).filter((key) => !this.#isFixed(key));
  }

  /** What a request needs to know, by the stored texts of `keysOfRequests`; null while the module's own switch is off. */
  ofRequest(stored: StoredTexts): RequestSettings | null {
    if (!this.#isFixed('enabled') && !storedValue(declaredSettings.enabled, stored).value) return null;
    const value = (key: SettingKey): unknown => {
      const setting: Setting<unknown> = declaredSettings[key];
      return this.#given(key) ?? storedValue(setting, stored).value;
    };
    return Object.fromEntries(REQUEST_KEYS.map((key) => [key, value(key)])) as unknown as RequestSettings;
  }

  async #write(changes: SettingChanges, author: Author): Promise<void> {
    await this.#parts.migrations.ready();
    await this.#writer.write(changes, author);
  }

  async #stored(): Promise<StoredSettings> {
    await this.#parts.migrations.ready();
    return this.#table.read();
  }

  #isFixed(key: SettingKey): boolean {
    return this.#given(key) !== undefined;
  }

  #given(key: SettingKey): unknown {
    return declaredSettings[key].given?.(this.#parts.options);
  }

  async #value<K extends SettingKey>(key: K, stored: StoredTexts): Promise<SettingValues[K]> {
    const setting: Setting<SettingValues[K]> = declaredSettings[key];
    const given = setting.given?.(this.#parts.options);
    if (given === undefined) return storedValue(setting, stored).value;
    return given instanceof Function ? given() : given;
  }

  async #description(key: SettingKey, stored: StoredSettings): Promise<SettingDescription> {
    const setting: Setting<SettingValues[SettingKey]> = declaredSettings[key];
    const { name, title, description, expects, bounds, option } = setting;
    const source = this.#isFixed(key) ? 'panel' : storedValue(setting, stored).source;
    const row = source === 'panel' ? undefined : stored.get(name);
    return {
      key,
      name,
      title,
      description,
      expects,
      default: setting.default,
      ...(bounds ? { bounds } : {}),
      ...(option ? { option } : {}),
      value: await this.#value(key, stored),
      source,
      updatedAt: row?.updatedAt ?? null,
      updatedBy: row?.updatedBy ?? null,
    };
  }
}

/** Stores settings together with the audit entries that tell of it. */
class SettingsWriter {
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #table: SettingsTable;

  constructor(database: Database, audit: AuditLog, table: SettingsTable) {
    this.#database = database;
    this.#audit = audit;
    this.#table = table;
  }

  /** Stores those that differ from what is stored, all or none. */
  async write(changes: SettingChanges, author: Author): Promise<void> {
    await this.#database.transaction('settings.change', (session) => this.#write(session, changes, author));
  }

  async #write(session: Session, changes: SettingChanges, author: Author): Promise<void> {
    const stored = await this.#table.readToChange(session);
    const changed = [...changes]
      .map(([key, to]) => ({ to, setting: declaredSettings[key] as Setting<unknown> }))
      .map((change) => ({ ...change, ...storedValue(change.setting, stored) }))
      // What cannot be read is mended even where it counts as what it shall be.
      .filter(({ to, value, source }) => to !== value || source === 'unreadable');
    if (changed.length === 0) return;
    const texts = new Map(changed.map(({ setting, to }) => [setting.name, setting.write(to)]));
    const at = await this.#table.write(session, texts, author);
    const turned = changed.find(({ setting }) => setting === declaredSettings.enabled);
    if (turned) {
      const action = turned.to ? 'api.enabled' : 'api.disabled';
      await this.#audit.append(session, author, { at, action, tokenId: null, details: {} });
    }
    const others = changed.filter((change) => change !== turned);
    if (others.length === 0) return;
    const details = Object.fromEntries(
      others.map(({ setting, value: from, to }) => [setting.name, { from, to }]),
    );
    await this.#audit.append(session, author, { at, action: 'settings.changed', tokenId: null, details });
  }
}

/** What settings shall be, each of a kind that it can be. */
type SettingChanges = ReadonlyMap<SettingKey, SettingValues[SettingKey]>;

/** Checks all that somebody wants to set. Throws InvalidInput, naming the first that is unknown, fixed or wrong. */
function checkChanges(values: Partial<SettingValues>, options: FixingOptions): SettingChanges {
  if (typeof values !== 'object' || values === null) {
    throw new InvalidInput('settings', 'Give the settings that change, by their names.');
  }
  return new Map(Object.entries(values).map(([key, value]) => [knownKey(key), checked(key, value, options)]));
}

function knownKey(key: string): SettingKey {
  const known = SETTING_KEYS.find((each) => each === key);
  if (known !== undefined) return known;
  throw new InvalidInput(
    'settings',
    `There is no setting ${printable(key, 64)}. The settings are ${SETTING_KEYS.join(', ')}.`,
  );
}

function checked(key: string, value: unknown, options: FixingOptions): SettingValues[SettingKey] {
  const setting: Setting<SettingValues[SettingKey]> = declaredSettings[knownKey(key)];
  if (setting.given?.(options) !== undefined) {
    throw new InvalidInput(
      setting.name,
      `The panel itself sets ${setting.name}, by the option ${setting.option}: it cannot be changed here.`,
    );
  }
  const accepted = setting.accept(value);
  if (accepted !== undefined) return accepted;
  throw new InvalidInput(setting.name, `The setting ${setting.name} must be ${setting.expects}.`);
}
