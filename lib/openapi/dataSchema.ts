import { keyName, objectSchema } from '../fields';
import type { JsonSchema } from '../json/JsonSchema';
import type { OperationFacts } from '../operations/OperationFacts';
import type { ItemSchema, SourceReport } from '../sources/Source';

/** The schema of the `data` of an operation that is one object. */
export function objectDataSchema({ name, fields }: OperationFacts): JsonSchema {
  const { properties, required, ...rest } = objectSchema(fields) as ObjectSchema;
  return {
    ...rest,
    properties: { resource: resourceSchema(name), ...properties },
    required: ['resource', ...required],
  };
}

/** The schema of the `data` of a list at this installation. */
export function listDataSchema({ name, fields }: OperationFacts, { itemSchema }: SourceReport): JsonSchema {
  return {
    type: 'object',
    properties: {
      resource: resourceSchema(name),
      items: { type: 'array', items: shownItem(itemSchema, keyName(fields)) },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Where the next page begins, for `cursor`; null on the last one. Only in pages.',
      },
    },
    required: ['resource', 'items'],
    additionalProperties: false,
  };
}

function resourceSchema(name: string): JsonSchema {
  return { const: name, type: 'string', description: 'Name of the resource.' };
}

/** An item as `fields` may cut it down: only the key is always there. */
function shownItem(schema: ItemSchema, key: string): JsonSchema {
  const description = 'All of its fields, or those that `fields` asks for.';
  return { ...schema, description, required: [key] };
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}
