import type { JsonSchema } from '../../lib/json/json';

/**
 * Prepares a document for a converter to OpenAPI 3.0, and for a generator of 2020: that version marks null beside the
 * type, and this generator writes the name of a class that it does not write for an `anyOf`.
 */
export function before30(document: unknown): JsonSchema {
  return JSON.parse(JSON.stringify(document), (name, value) => {
    if (name === 'enum' && Array.isArray(value)) return value.filter((one) => one !== null);
    if (!Array.isArray(value?.anyOf)) return value;
    const { anyOf: _, ...any } = value;
    return { ...any, nullable: true };
  });
}
