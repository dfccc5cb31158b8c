import type { Field } from './Field';

/** The field, always present and never null. */
export function required<F extends Field>(field: F): F & { readonly required: true } {
  return { ...field, required: true };
}
