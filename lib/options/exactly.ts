import type { JsonSchema } from '../json/json';

/** The JSON Schema of an object with these properties and no others. */
export function exactly(
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
