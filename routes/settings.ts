import { alwaysDerived, filterable, flag, masked, type ReadRow, required, text, time } from '../lib/fields';
import { type Field, plainField } from '../lib/fields/Field';
import { listOperation } from '../lib/fields/Operation';
import { type Integer, rawText, readInteger } from '../lib/fields/raw';
import { readFlag, readTextList } from '../lib/fields/scalars';
import { containsCredential, looksLikeCredential } from '../lib/masking/credentials';

const SETTING_TYPES = ['string', 'integer', 'number', 'boolean', 'list', 'secret'] as const;

type SettingType = (typeof SETTING_TYPES)[number];

// `readSetting` derives both fields from the texts of their columns.

const settingType: Field<string> = plainField(
  'any',
  { type: 'string', enum: SETTING_TYPES, description: 'Type of the value of the setting.' },
  rawText,
);

type SettingValue = string | Integer | boolean | readonly string[];

const settingValue: Field<SettingValue> = plainField(
  'any',
  {
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: 'string' },
    description:
      'Value of the setting, of the type that `type` names; null for a secret, or if no value is set.',
  },
  rawText,
);

export const settings = listOperation({
  name: 'settings',
  tag: 'Platform and health',
  title: 'Settings',
  item: 'Setting',
  description: 'Settings of the panel that its developer allows the API to show.',
  allowList: true,
  fields: {
    key: required(filterable(text('Name of the setting.'))),
    group: filterable(text('Group to which the panel assigns the setting.')),
    label: text('Display name of the setting.'),
    type: alwaysDerived(settingType, ['key', 'value'], (row) => readSetting(row).type),
    value: masked(alwaysDerived(settingValue, ['key', 'value'], (row) => readSetting(row).value)),
    is_set: required(
      alwaysDerived(
        flag('Whether the setting has a value that is not empty.'),
        ['value'],
        (row) => readSetting(row).isSet,
      ),
    ),
    updated_at: time('Time when the setting was last changed.'),
  },
});

interface Setting {
  readonly type: SettingType;
  /** Null if it is secret or not set. */
  readonly value: SettingValue | null;
  readonly isSet: boolean;
}

const READERS: Readonly<Record<SettingType, (text: string) => SettingValue | null>> = {
  string: (text) => text,
  integer: readWhole,
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : null),
  boolean: readFlag,
  list: (text) => readTextList(text),
  secret: () => null,
};

/** Reads a setting from its row. A value that does not fit the panel's type is read as a string. */
export function readSetting(row: ReadRow): Setting {
  const type = typeOf(row);
  const text = typeof row.value === 'string' ? row.value : '';
  // A panel that keeps its secrets elsewhere may have a column that says whether one is set.
  const isSet = text !== '' || row.is_set === true;
  if (type === 'secret') return { type, value: null, isSet };
  if (text === '') return { type, value: emptyValue(type, row.value), isSet };
  const value = READERS[type](text);
  return value === null ? { type: 'string', value: text, isSet } : { type, value, isSet };
}

function typeOf({ key, type, value }: ReadRow): SettingType {
  if (typeof key !== 'string' || looksLikeCredential(key)) return 'secret';
  if (typeof value === 'string' && containsCredential(value)) return 'secret';
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
