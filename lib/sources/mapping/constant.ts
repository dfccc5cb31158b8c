import { ALWAYS, NEVER } from '../../database/columns';
import type { Field } from '../../fields';
import { closedObject } from '../checks';
import { type DescriptionKind, type Mapped, mappedValue } from './description';
import { closedWords } from './words';

/** The same value for every row. */
export interface ConstantSource<F extends Field = Field> {
  readonly value: Mapped<F> | null;
}

export const constant: DescriptionKind<ConstantSource> = {
  mayBeKey: false,
  check: ({ field }) => closedObject({ value: mappedValue(field, !field.required) }),
  references: () => [],
  plan({ name, field, ids }, { value }) {
    const constant: unknown = ids(name, field).toList(field.reader()(value));
    const { fallback, required, derivation, filterable } = field;
    const shown = constant ?? (required ? fallback : null) ?? null;
    return {
      name,
      field,
      positions: [],
      read: () => constant,
      words: closedWords(field, [constant]),
      pushDown:
        filterable &&
        ((wanted) => (derivation || (shown !== null && wanted.has(String(shown))) ? ALWAYS : NEVER)),
    };
  },
};
