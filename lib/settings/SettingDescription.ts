import type { Setting } from './Setting';
import type { SettingKey, SettingValues } from './SettingValues';

/**
 * Why a setting has its value: the mount's options say it (`panel`), somebody set it (`stored`), nobody did
 * (`default`), or what is stored cannot be read, so that the default holds (`unreadable`).
 */
export type SettingSource = 'panel' | 'stored' | 'default' | 'unreadable';

/** A setting as it stands, for pages and for the command. */
export interface SettingDescription
  extends Pick<Setting<unknown>, 'name' | 'title' | 'meaning' | 'expects' | 'bounds' | 'option'> {
  readonly key: SettingKey;
  readonly value: SettingValues[SettingKey];
  readonly source: SettingSource;
  /** What holds where nothing is stored. */
  readonly initial: SettingValues[SettingKey];
  /** When it was stored, in seconds since 1970; null for `panel` and `default`. */
  readonly updatedAt: number | null;
  /** Who stored it; null for `panel` and `default`. */
  readonly updatedBy: string | null;
}
