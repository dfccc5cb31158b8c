import type { Field, RequiredField } from './Field';

/** The field, always present and never null. */
export function required<T>(field: Field<T>): RequiredField<T> {
  return { ...field, required: true };
}
