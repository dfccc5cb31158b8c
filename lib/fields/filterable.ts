import type { Field } from './Field';

/** The field, open to filters: clients may ask for the rows that hold certain values of it. */
export function filterable<F extends Field>(field: F): F {
  return { ...field, filterable: true };
}
