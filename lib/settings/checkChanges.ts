import { InvalidInput } from '../errors/InvalidInput';
import { printable } from '../text/printable';
import { declaredSettings, SETTING_KEYS } from './declaredSettings';
import type { FixingOptions, Setting } from './Setting';
import type { SettingKey, SettingValues } from './SettingValues';

/** What settings shall be, each of a kind that it can be. */
export type SettingChanges = ReadonlyMap<SettingKey, SettingValues[SettingKey]>;

/** Checks all that somebody wants to set. Throws InvalidInput, naming the first that is unknown, fixed or wrong. */
export function checkChanges(values: Partial<SettingValues>, options: FixingOptions): SettingChanges {
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
