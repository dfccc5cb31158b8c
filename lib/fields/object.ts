import type { JsonSchema } from '../json/JsonSchema';
import { type Field, type Fields, type ObjectOf, valueSchema } from './Field';
import { plainField } from './plainField';

/** The JSON Schema of an object with exactly these fields, all of them always there. */
export function objectSchema(fields: Fields, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueSchema(field)])),
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

/** An object inside another; it is made by the module and never read from a column. */
export function object<F extends Fields>(description: string, fields: F): Field<ObjectOf<F>> {
  return plainField('made', objectSchema(fields, description), (): ObjectOf<F> | null => null);
}

/** A list of what one field describes. */
export function listOf<T>(description: string, field: Field<T>): Field<readonly T[]> {
  return plainField(
    'made',
    { type: 'array', items: valueSchema({ ...field, required: true }), description },
    (): readonly T[] | null => null,
  );
}
