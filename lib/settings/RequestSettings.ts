import type { Knex } from 'knex';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { TableNames } from '../database/migrations/tables';
import type { Rows } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import { declaredSettings, fixedValue } from './declaredSettings';
import {
  type FixingOptions,
  type Setting,
  type SettingKey,
  type SettingValues,
  storedValue,
} from './Setting';
import { INSTALLATION_NAME, LOST_HISTORY } from './settingsTable';

const REQUEST_KEYS = [
  'rateLimitRequests',
  'rateLimitWindowSeconds',
  'httpsRequired',
  'lastUsedAddress',
  'suspendedAccounts',
  'afterRestore',
] as const;

/** The settings that every request needs, except the switch. */
export type RequestSettings = Pick<SettingValues, (typeof REQUEST_KEYS)[number]>;

/** How the settings that every request needs are read, as a part of the statement that looks up its token. */
export class RequestSettingsReader {
  readonly #table: string;
  readonly #options: FixingOptions;
  /** Those that no mount option overrides. */
  readonly #keys: readonly SettingKey[];
  /** Whether mount options override all that matter to a request without a valid token, so that none is read for it. */
  readonly areFixed: boolean;

  constructor({ settings: table }: TableNames, options: FixingOptions) {
    this.#table = table;
    this.#options = options;
    this.#keys = (['enabled', ...REQUEST_KEYS] as const).filter(
      (key) => fixedValue(key, options) === undefined,
    );
    const isForTokens = (key: SettingKey) =>
      ['lastUsedAddress', 'suspendedAccounts', 'afterRestore'].includes(key);
    this.areFixed = options.installation === undefined && this.#keys.every(isForTokens);
  }

  /** Whether the mount option turns the API off. Rejects if the option is a function and it throws. */
  async isOffByPanel(): Promise<boolean> {
    const fixed = fixedValue('enabled', this.#options);
    return fixed !== undefined && !(fixed instanceof Function ? await fixed() : fixed);
  }

  /**
   * Begins a query with a row for each of them that is stored. That costs half of a join for each. Without one it has
   * no row, unless it may be empty.
   */
  query(knex: Knex, mayBeEmpty: boolean): Knex.QueryBuilder {
    const stored = [...this.#keys.map((key) => declaredSettings[key].name), LOST_HISTORY, INSTALLATION_NAME];
    const names = stored.map((name) => `'${name}'`);
    const isWanted = knex.raw(`s.name IN (${names.join(', ')})`);
    const query: Knex.QueryBuilder = mayBeEmpty
      ? knex
          .queryBuilder()
          .from(knex.raw('(SELECT 1 AS one) AS ??', ['request']))
          .leftJoin({ s: this.#table }, isWanted)
      : knex({ s: this.#table }).where(isWanted);
    return query.select({ setting: 's.name', text: 's.value' });
  }

  /** Requires of a join, in such a query, that it is beside the stored switch, and that this is on. */
  requireSwitchedOn(join: Knex.JoinClause): void {
    const { name, write } = declaredSettings.enabled;
    if (this.#keys.includes('enabled')) join.onVal('s.name', name).onVal('s.value', write(true));
  }

  /**
   * Parses the rows of such a query; without a row, all values are from the mount options. Returns null if the stored
   * switch is off, or if the database is that of another installation. Throws ApiError `unavailable` if it was set back and the
   * setting `after_restore` refuses tokens.
   */
  read(rows: Rows = []): RequestSettings | null {
    const texts = new Map(rows.map(({ setting, text }) => [setting, text]));
    const value = (key: SettingKey): unknown => {
      const setting: Setting<unknown> = declaredSettings[key];
      const text = texts.get(setting.name);
      return storedValue(setting, text === undefined ? undefined : String(text)).value;
    };
    if (this.#keys.includes('enabled') && !value('enabled')) return null;
    const { installation } = this.#options;
    const owner = texts.get(INSTALLATION_NAME);
    if (installation !== undefined && owner !== undefined && owner !== installation) return null;
    if (texts.has(LOST_HISTORY) && value('afterRestore') === 'refuse')
      throw new ApiError('unavailable', {}, new DatabaseFailure('settings.read', 'OLDER_THAN_KNOWN'));
    const values = REQUEST_KEYS.map((key) => [key, fixedValue(key, this.#options) ?? value(key)]);
    return Object.fromEntries(values) as RequestSettings;
  }
}
