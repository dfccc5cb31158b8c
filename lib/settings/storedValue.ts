import type { Setting } from './Setting';
import type { SettingSource } from './SettingDescription';

/** The texts that are stored, by the names of their settings. */
export type StoredTexts = ReadonlyMap<string, { readonly text: string }>;

/** What a setting is by what is stored, or else by default. */
export function storedValue<T>(
  setting: Setting<T>,
  stored: StoredTexts,
): { readonly value: T; readonly source: Exclude<SettingSource, 'panel'> } {
  const row = stored.get(setting.name);
  if (!row) return { value: setting.initial, source: 'default' };
  const value = setting.read(row.text);
  return value === undefined ? { value: setting.initial, source: 'unreadable' } : { value, source: 'stored' };
}
