import { type AuditLog, type Author, checkAuthor } from '../audit/AuditLog';
import type { Database } from '../database/Database';
import type { Migrations } from '../database/migrations/Migrations';
import type { Session } from '../database/Session';
import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../errors/printable';
import { declaredSettings, fixedValue, SETTING_KEYS } from './declaredSettings';
import {
  type FixingOptions,
  type Setting,
  type SettingKey,
  type SettingValues,
  storedValue,
} from './Setting';
import type { SettingsTable, StoredSettings } from './SettingsTable';

/**
 * Why a setting has its value: the mount's options fix it (`panel`), it was set (`stored`), it was never set
 * (`default`), or its stored value cannot be read, so that the default holds (`unreadable`).
 */
export type SettingSource = 'panel' | 'stored' | 'default' | 'unreadable';

/** A setting as it holds now, for pages and for the command. */
export interface SettingDescription
  extends Pick<Setting<unknown>, 'name' | 'title' | 'description' | 'expects' | 'bounds' | 'option'> {
  readonly key: SettingKey;
  readonly value: SettingValues[SettingKey];
  readonly source: SettingSource;
  /** Its value if none is stored. */
  readonly default: SettingValues[SettingKey];
  /** When it was stored, in seconds since 1970; null for `panel` and `default`. */
  readonly updatedAt: number | null;
  /** Who stored it; null for `panel` and `default`. */
  readonly updatedBy: string | null;
}

interface SettingsParts {
  readonly database: Database;
  readonly migrations: Migrations;
  readonly audit: AuditLog;
  readonly table: SettingsTable;
  readonly options: FixingOptions;
}

/**
 * The module's own settings. An option of the mount wins over the stored value, and that over the default. Nothing is
 * kept in memory: a change in one process holds for the next request in every other.
 */
export class Settings {
  readonly #parts: SettingsParts;

  constructor(parts: SettingsParts) {
    this.#parts = parts;
  }

  /** Reads all settings as they hold now, in one statement. Rejects if the option `enabled` is a function that does. */
  async read(): Promise<SettingValues> {
    const stored = await this.#parts.table.read();
    const values = SETTING_KEYS.map(async (key) => [key, await this.#value(key, stored)] as const);
    return Object.fromEntries(await Promise.all(values)) as unknown as SettingValues;
  }

  /** Reads one setting as it holds now. */
  async get<K extends SettingKey>(key: K): Promise<SettingValues[K]> {
    return this.#value(key, this.#isFixed(key) ? new Map() : await this.#parts.table.read());
  }

  /** Reads all settings, each with its source and when and by whom it was changed, in the order in which people see them. */
  async describe(): Promise<readonly SettingDescription[]> {
    const stored = await this.#parts.table.read();
    return Promise.all(SETTING_KEYS.map((key) => this.#describe(key, stored)));
  }

  /**
   * Sets those that differ, all or none, in one transaction with the audit entries: `settings.changed` has the old and
   * the new values, and the switch has actions of its own, `api.enabled` and `api.disabled`. Throws InvalidInput for a
   * setting that is unknown or wrong, or that the mount's options fix; then nothing is written.
   */
  async change(values: Partial<SettingValues>, author: Author): Promise<void> {
    checkAuthor(author);
    await this.#write(checkChanges(values, this.#parts.options), author);
  }

  /** Whether the module's own switch is on; it starts off. It has no effect beside the option `enabled`. */
  async enabled(): Promise<boolean> {
    const { enabled } = declaredSettings;
    return storedValue(enabled, (await this.#parts.table.read()).get(enabled.name)?.text).value;
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

  async #write(changes: SettingChanges, author: Author): Promise<void> {
    const { database, migrations } = this.#parts;
    await migrations.ready();
    await database.transaction('settings.change', (session) =>
      writeChanges(this.#parts, session, changes, author),
    );
  }

  #isFixed(key: SettingKey): boolean {
    return fixedValue(key, this.#parts.options) !== undefined;
  }

  async #value<K extends SettingKey>(key: K, stored: StoredSettings): Promise<SettingValues[K]> {
    const setting: Setting<SettingValues[K]> = declaredSettings[key];
    const fixed = fixedValue(key, this.#parts.options);
    if (fixed === undefined) return storedValue(setting, stored.get(setting.name)?.text).value;
    return fixed instanceof Function ? fixed() : fixed;
  }

  async #describe(key: SettingKey, stored: StoredSettings): Promise<SettingDescription> {
    const setting: Setting<SettingValues[SettingKey]> = declaredSettings[key];
    const { name, title, description, expects, bounds, option } = setting;
    const isFixed = this.#isFixed(key);
    const row = isFixed ? undefined : stored.get(name);
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
      source: isFixed ? 'panel' : storedValue(setting, row?.text).source,
      updatedAt: row?.updatedAt ?? null,
      updatedBy: row?.updatedBy ?? null,
    };
  }
}

/** The new values of settings, each one that it can have. */
type SettingChanges = ReadonlyMap<SettingKey, SettingValues[SettingKey]>;

/** Checks the changes that were asked for. Throws InvalidInput for the first that is unknown, fixed or wrong. */
function checkChanges(values: Partial<SettingValues>, options: FixingOptions): SettingChanges {
  if (typeof values !== 'object' || values === null) {
    throw new InvalidInput('settings', 'Give the settings that change, by their names.');
  }
  return new Map(
    Object.entries(values).map(([name, value]) => {
      const key = checkKey(name);
      return [key, checkValue(key, value, options)];
    }),
  );
}

function checkKey(name: string): SettingKey {
  const key = SETTING_KEYS.find((each) => each === name);
  if (key !== undefined) return key;
  throw new InvalidInput(
    'settings',
    `There is no setting ${printable(name, 64)}. The settings are ${SETTING_KEYS.join(', ')}.`,
  );
}

function checkValue(key: SettingKey, value: unknown, options: FixingOptions): SettingValues[SettingKey] {
  const { name, option, expects, accept } = declaredSettings[key];
  if (fixedValue(key, options) !== undefined) {
    throw new InvalidInput(
      name,
      `The panel itself sets ${name}, by the option ${option}: it cannot be changed here.`,
    );
  }
  const accepted = accept(value);
  if (accepted !== undefined) return accepted;
  throw new InvalidInput(name, `The setting ${name} must be ${expects}.`);
}

/** Stores the settings that differ from the stored ones, with their audit entries, within a transaction. */
async function writeChanges(
  { audit, table }: SettingsParts,
  session: Session,
  changes: SettingChanges,
  author: Author,
): Promise<void> {
  const stored = await table.readToChange(session);
  const changed = [...changes]
    .map(([key, to]) => ({ to, setting: declaredSettings[key] as Setting<unknown> }))
    .map(({ to, setting }) => ({ to, setting, ...storedValue(setting, stored.get(setting.name)?.text) }))
    // A text that cannot be read is replaced even if the new value is the default.
    .filter(({ to, value, source }) => to !== value || source === 'unreadable');
  if (changed.length === 0) return;
  const texts = new Map(changed.map(({ setting, to }) => [setting.name, setting.write(to)]));
  const at = await table.write(session, texts, author);
  const turned = changed.find(({ setting }) => setting === declaredSettings.enabled);
  if (turned) {
    const action = turned.to ? 'api.enabled' : 'api.disabled';
    await audit.append(session, author, { at, action, tokenId: null, details: {} });
  }
  const others = changed.filter((change) => change !== turned);
  if (others.length === 0) return;
  const details = Object.fromEntries(
    others.map(({ setting, value: from, to }) => [setting.name, { from, to }]),
  );
  await audit.append(session, author, { at, action: 'settings.changed', tokenId: null, details });
}
