import type { Knex } from 'knex';
import { declaredSettings, fixedValue } from './declaredSettings';
import {
  type FixingOptions,
  type Setting,
  type SettingKey,
  type SettingValues,
  storedValue,
} from './Setting';
import type { SettingsTable } from './SettingsTable';

const REQUEST_KEYS = [
  'rateLimitRequests',
  'rateLimitWindowSeconds',
  'httpsRequired',
  'lastUsedAddress',
] as const;

/** The settings that every request needs, except the switch. */
export type RequestSettings = Pick<SettingValues, (typeof REQUEST_KEYS)[number]>;

/** Reads the settings that every request needs, as a part of the statement that looks up its token. */
export class RequestSettingsReader {
  readonly #table: SettingsTable;
  readonly #options: FixingOptions;
  /** The settings that no mount option overrides. */
  readonly #keys: readonly SettingKey[];

  constructor(table: SettingsTable, options: FixingOptions) {
    this.#table = table;
    this.#options = options;
    this.#keys = (['enabled', ...REQUEST_KEYS] as const).filter(
      (key) => fixedValue(key, options) === undefined,
    );
  }

  /** Whether the mount option turns the API off. Rejects if the option is a function and it throws. */
  async isOffByPanel(): Promise<boolean> {
    const fixed = fixedValue('enabled', this.#options);
    return fixed !== undefined && !(fixed instanceof Function ? await fixed() : fixed);
  }

  /** Whether mount options override all that matter to a request without a valid token, so that none is read for it. */
  get areFixed(): boolean {
    return this.#keys.every((key) => key === 'lastUsedAddress');
  }

  /** The columns to select. */
  get columns(): readonly Knex.QueryBuilder[] {
    return this.#keys.map((key, index) =>
      this.#table.selectText(declaredSettings[key].name).as(columnAt(index)),
    );
  }

  /** A query that returns a row only while the stored switch is on; null if the mount option decides. */
  get switchedOn(): Knex.QueryBuilder | null {
    if (!this.#keys.includes('enabled')) return null;
    const { name, write } = declaredSettings.enabled;
    return this.#table.selectText(name).where({ value: write(true) });
  }

  /**
   * Parses a row with `columns`; without a row, all values are from the mount options. Returns null if the stored
   * switch is off.
   */
  read(row: Readonly<Record<string, unknown>> = {}): RequestSettings | null {
    const value = (key: SettingKey): unknown => {
      const setting: Setting<unknown> = declaredSettings[key];
      const text = row[columnAt(this.#keys.indexOf(key))] ?? undefined;
      return storedValue(setting, text === undefined ? undefined : String(text)).value;
    };
    if (this.#keys.includes('enabled') && !value('enabled')) return null;
    const values = REQUEST_KEYS.map((key) => [key, fixedValue(key, this.#options) ?? value(key)]);
    return Object.fromEntries(values) as RequestSettings;
  }
}

/** Knex handles that rename columns leave such a name unchanged. */
function columnAt(index: number): string {
  return `c${index}`;
}
