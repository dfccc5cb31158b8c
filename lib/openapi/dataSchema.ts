import { objectSchema } from '../fields';
import type { Installation } from '../Installation';
import type { JsonSchema } from '../json/JsonSchema';
import type { OperationFacts } from '../operations/OperationFacts';
import type { ItemSchema } from '../sources/Source';

/** The schema of an operation's `data` at this installation; null where it cannot be served. */
export async function dataSchema(
  { name, kind, fields }: OperationFacts,
  { sources }: Installation,
): Promise<JsonSchema | null> {
  const resource = { const: name, type: 'string', description: 'Name of the resource.' };
  if (kind === 'object') {
    const { properties, required, ...rest } = objectSchema(fields) as ObjectSchema;
    return { ...rest, properties: { resource, ...properties }, required: ['resource', ...required] };
  }
  const report = await sources.get(name)?.report();
  if (report?.state !== 'served') return null;
  return {
    type: 'object',
    properties: {
      resource,
      items: { type: 'array', items: shownItem(report.itemSchema) },
      next_cursor: {
        type: ['string', 'null'],
        description: 'Where the next page begins, for `cursor`; null on the last one. Only in pages.',
      },
    },
    required: ['resource', 'items'],
    additionalProperties: false,
  };
}

/** An item as `fields` may cut it down: only the key is always there. */
function shownItem(schema: ItemSchema): JsonSchema {
  const description = 'All of its fields, or those that `fields` asks for.';
  return { ...schema, description, required: Object.keys(schema.properties).slice(0, 1) };
}

interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
}
