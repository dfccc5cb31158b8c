import { InvalidInput } from '../lib/errors/InvalidInput';
import { declaredSettings, SETTING_KEYS } from '../lib/settings/declaredSettings';
import type { SettingKey } from '../lib/settings/SettingValues';
import { printable } from '../lib/text/printable';

const WORDS: Readonly<Record<string, boolean | null>> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
  never: null,
};

interface TypedSetting {
  readonly key: SettingKey;
  readonly value: unknown;
}

/** A setting as it was typed, by its name; whether its value can be that is left to the settings. Throws InvalidInput. */
export function parseSetting(name: string, text: string): TypedSetting {
  return { key: keyOf(name), value: Object.hasOwn(WORDS, text) ? WORDS[text] : numberOr(text) };
}

function keyOf(name: string): SettingKey {
  const key = SETTING_KEYS.find((each) => declaredSettings[each].name === name);
  if (key !== undefined) return key;
  const names = SETTING_KEYS.map((each) => declaredSettings[each].name).join(', ');
  throw new InvalidInput('name', `There is no setting ${printable(name, 64)}. The settings are ${names}.`);
}

function numberOr(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
