import type { Column } from '../database/columns';
import type { Field, Fields } from '../fields';
import { valueSchema } from '../fields/Field';
import type { JsonSchema } from '../json/JsonSchema';
import type { ItemSchema } from './Source';

/** What is known of a field beside its declaration: its column, or all words that its mapping can say. */
interface Known {
  readonly column?: Column;
  readonly words?: readonly string[] | undefined;
}

/** The schema of an item with exactly these of the declared fields, as their columns and mappings let them be. */
export function itemSchema(
  fields: Fields,
  served: readonly string[],
  known: ReadonlyMap<string, Known> = new Map(),
): ItemSchema {
  const properties = Object.entries(fields)
    .filter(([name]) => served.includes(name))
    .map(([name, field]) => [name, schemaOf(field, known.get(name))]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function schemaOf(field: Field, { column, words }: Known = {}): JsonSchema {
  if (!words) return valueSchema(field, column);
  const { examples: _examples, ...schema } = field.schema;
  return valueSchema({ ...field, schema: { ...schema, enum: words } }, column);
}
