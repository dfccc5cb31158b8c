/* oxlint-disable unicorn/no-thenable -- it is a keyword of JSON Schema. */
import type { JsonSchema } from '../json/JsonSchema';

/** One schema for objects with the property, another for all others: what is wrong is told by that one alone. */
export function choose(property: string, yes: JsonSchema, no: JsonSchema): JsonSchema {
  return ifSchema({ required: [property] }, yes, no);
}

/** One schema for what is valid against `condition`, another for everything else. */
export function ifSchema(condition: JsonSchema, yes: JsonSchema, no: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
  return { if: condition, then: yes, else: no };
}
