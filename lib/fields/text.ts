import type { Field } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

export function text(description: string): Field<string> {
  return plainField('text', { type: 'string', description }, rawText, '');
}
