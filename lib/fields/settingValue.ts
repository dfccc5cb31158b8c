import type { Field } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';
import type { Integer } from './readInteger';

export type SettingValue = string | Integer | boolean | readonly string[];

/** A value of the JSON type that another field of its row names; a column's own value is read as text. */
export function settingValue(description: string): Field<SettingValue> {
  return plainField<SettingValue>(
    'made',
    { type: ['string', 'number', 'boolean', 'array'], items: { type: 'string' }, description },
    rawText,
  );
}
