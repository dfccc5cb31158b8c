import type { ReadRow } from '../fields';
import { readFlag } from '../fields/flag';
import { type Integer, readInteger } from '../fields/readInteger';
import { SETTING_TYPES, type SettingType } from '../fields/settingType';
import type { SettingValue } from '../fields/settingValue';
import { readTextList } from '../fields/textList';
import { looksLikeCredential } from '../masking/looksLikeCredential';

interface Setting {
  readonly type: SettingType;
  /** Null for a secret, and where nothing is set. */
  readonly value: SettingValue | null;
  readonly isSet: boolean;
}

const READERS: Readonly<Record<SettingType, (text: string) => SettingValue | null>> = {
  string: (text) => text,
  integer: readWhole,
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null),
  boolean: readFlag,
  list: readTextList,
  secret: () => null,
};

/** What a row says of a setting. A value that is not of the panel's type for it is a string. */
export function readSetting(row: ReadRow): Setting {
  const type = typeOf(row);
  const text = typeof row.value === 'string' ? row.value : '';
  // A panel that keeps its secrets elsewhere may know by itself that one is set.
  const isSet = text !== '' || row.is_set === true;
  if (type === 'secret') return { type, value: null, isSet };
  if (text === '') return { type, value: emptyValue(type, row.value), isSet };
  const value = READERS[type](text);
  return value === null ? { type: 'string', value: text, isSet } : { type, value, isSet };
}

function typeOf({ key, type }: ReadRow): SettingType {
  if (typeof key !== 'string' || looksLikeCredential(key)) return 'secret';
  const word = typeof type === 'string' ? type.trim().toLowerCase() : '';
  const known = SETTING_TYPES.find((each) => each === word);
  // Panels write `password` where this API says `secret`.
  return known ?? (looksLikeCredential(word) ? 'secret' : 'string');
}

function emptyValue(type: SettingType, raw: unknown): SettingValue | null {
  if (type === 'list') return [];
  return type === 'string' && raw === '' ? '' : null;
}

function readWhole(text: string): Integer | null {
  return /^\s*[+-]?\d+(?:\.0*)?\s*$/.test(text) ? readInteger(text) : null;
}
