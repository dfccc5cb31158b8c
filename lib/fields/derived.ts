import type { Derivation, Field } from './Field';

/** The field, worked out from others of its row where the panel has no column for it. */
export function derived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  return { ...field, derivation: { from, compute, always: false } };
}

/** The field, worked out from the row whether the panel has a column for it or not. */
export function alwaysDerived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  // What a client sees of it is in no column, so none can be searched for it.
  const { filterable: _, ...rest } = field;
  return { ...rest, derivation: { from, compute, always: true } };
}
