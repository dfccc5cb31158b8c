import type { JsonSchema } from '../json/json';
import { type Field, type Fields, type ObjectOf, plainField, valueSchema } from './Field';

/** The JSON Schema of an object with exactly these fields, each always present. */
export function objectSchema(fields: Fields, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valueSchema(field)])),
    required: Object.keys(fields),
    additionalProperties: false,
  };
}

/** A nested object. The module creates it; no column contains it. */
export function object<F extends Fields>(description: string, fields: F): Field<ObjectOf<F>> {
  return plainField('any', objectSchema(fields, description), (): ObjectOf<F> | null => null);
}

/** A list of values of one field. */
export function listOf<T>(description: string, field: Field<T>): Field<readonly T[]> {
  return plainField(
    'any',
    { type: 'array', items: valueSchema({ ...field, required: true }), description },
    (): readonly T[] | null => null,
  );
}

/** An object whose members are defined by another standard. */
export function anyObject(description: string): Field<object> {
  return plainField('any', { type: 'object', description }, (): object | null => null);
}
