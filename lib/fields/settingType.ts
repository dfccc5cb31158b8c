import type { Field } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

export const SETTING_TYPES = ['string', 'integer', 'number', 'boolean', 'list', 'secret'] as const;

export type SettingType = (typeof SETTING_TYPES)[number];

/** One of the types of settings; a column's own word is read as it is, for whoever works the type out from it. */
export function settingType(description: string): Field<string> {
  return plainField('made', { type: 'string', enum: SETTING_TYPES, description }, rawText);
}
