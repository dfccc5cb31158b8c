import type { Knex } from 'knex';
import type { TableNames } from '../database/migrations/tables';
import { declaredSettings, fixedValue, SETTING_KEYS } from './declaredSettings';
import {
  type FixingOptions,
  type Setting,
  type SettingKey,
  type SettingValues,
  storedValue,
} from './Setting';

const REQUEST_KEYS = [
  'rateLimitRequests',
  'rateLimitWindowSeconds',
  'httpsRequired',
  'lastUsedAddress',
  'suspendedAccounts',
] as const;

/** The settings that every request needs, except the switch. */
export type RequestSettings = Pick<SettingValues, (typeof REQUEST_KEYS)[number]>;

export type RequestSettingsReader = ReturnType<typeof requestSettingsReader>;

/** Returns how the settings that every request needs are read, as a part of the statement that looks up its token. */
export function requestSettingsReader({ settings: table }: TableNames, options: FixingOptions) {
  // Those that no mount option overrides.
  const keys = (['enabled', ...REQUEST_KEYS] as const).filter(
    (key) => fixedValue(key, options) === undefined,
  );
  return {
    /** Whether the mount option turns the API off. Rejects if the option is a function and it throws. */
    async isOffByPanel(): Promise<boolean> {
      const fixed = fixedValue('enabled', options);
      return fixed !== undefined && !(fixed instanceof Function ? await fixed() : fixed);
    },

    /** Whether mount options override all that matter to a request without a valid token, so that none is read for it. */
    areFixed: keys.every((key) => key === 'lastUsedAddress' || key === 'suspendedAccounts'),

    /** Adds the stored settings to a query, each as a column of a row that is joined by its name. */
    select(query: Knex.QueryBuilder): void {
      for (const key of keys) {
        const short = shortName(key);
        query.select({ [short]: `${short}.value` });
        // MariaDB reads such rows faster than those of subqueries, and a short statement faster than a long one.
        query.leftJoin({ [short]: table }, (join) => join.onVal(`${short}.name`, declaredSettings[key].name));
      }
    },

    /** Requires of a join, in a query that `select` has changed, that the stored switch is on. */
    requireSwitchedOn(join: Knex.JoinClause): void {
      if (keys.includes('enabled'))
        join.onVal(`${shortName('enabled')}.value`, declaredSettings.enabled.write(true));
    },

    /**
     * Parses a row of such a query; without a row, all values are from the mount options. Returns null if the stored
     * switch is off.
     */
    read(row: Readonly<Record<string, unknown>> = {}): RequestSettings | null {
      const value = (key: SettingKey): unknown => {
        const setting: Setting<unknown> = declaredSettings[key];
        const text = row[shortName(key)] ?? undefined;
        return storedValue(setting, text === undefined ? undefined : String(text)).value;
      };
      if (keys.includes('enabled') && !value('enabled')) return null;
      const values = REQUEST_KEYS.map((key) => [key, fixedValue(key, options) ?? value(key)]);
      return Object.fromEntries(values) as RequestSettings;
    },
  };
}

/** A client of knex that the panel extends may rename columns, and leaves such names unchanged. */
function shortName(key: SettingKey): string {
  return `s${SETTING_KEYS.indexOf(key)}`;
}
