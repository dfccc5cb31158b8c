import type { JsonSchema } from '../json/JsonSchema';
import type { Field, FieldKind, Raw } from './Field';

/** A field whose raw values are read alike whatever the column's type. */
export function plainField<T>(
  kind: FieldKind,
  schema: JsonSchema,
  read: (raw: Raw) => T | null,
  fallback?: T,
): Field<T> {
  return {
    kind,
    schema,
    reader: () => read,
    required: false,
    ...(fallback === undefined ? {} : { fallback }),
  };
}
