import type { Field } from './Field';
import { plainField } from './plainField';

/** An object whose members another standard lays down. */
export function anyObject(description: string): Field<object> {
  return plainField('made', { type: 'object', description }, (): object | null => null);
}
