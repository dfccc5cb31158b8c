import type { JsonSchema } from '../json/json';
import { DEFAULT_LIMIT, MOST_ROWS, MOST_VALUES, parameterNames } from '../lists/parseListQuery';
import type { SourceReport } from '../sources/Source';

/** Returns a list's query parameters in this installation. */
export function listParameters(report: SourceReport): readonly JsonSchema[] {
  const { properties } = report.itemSchema;
  const described: Readonly<Record<string, JsonSchema>> = {
    limit: {
      description: `Asks for a page of at most so many items. With a cursor alone it is ${DEFAULT_LIMIT}.`,
      schema: { type: 'integer', minimum: 1, maximum: MOST_ROWS },
    },
    cursor: {
      description: 'The `next_cursor` of the page before, for the same filters.',
      schema: { type: 'string' },
    },
    fields: severalOf('Only these fields, and the key.', { type: 'string', enum: Object.keys(properties) }),
    updated_since: {
      description: 'Only items that were changed at this time or later.',
      schema: { type: 'string', anyOf: ['date-time', 'date'].map((format) => ({ type: 'string', format })) },
    },
  };
  return parameterNames(report).map((name) => ({
    name,
    in: 'query',
    ...(described[name] ?? filter(name, properties[name])),
  }));
}

/** A parameter with several values, separated by commas. */
function severalOf(description: string, items: JsonSchema, limits: JsonSchema = {}): JsonSchema {
  const schema = { type: 'array', items, minItems: 1, ...limits };
  return { description, schema, style: 'form', explode: false };
}

/** A filter by a field, with any value that the field can have except null. */
function filter(name: string, { type, enum: words }: JsonSchema = {}): JsonSchema {
  const types = [type].flat().filter((one) => one !== undefined && one !== 'null');
  const value = {
    ...(types.length > 0 && { type: types.length === 1 ? types[0] : types }),
    ...(Array.isArray(words) && { enum: words.filter((word) => word !== null) }),
  };
  return severalOf(`Only items with one of these values of \`${name}\`.`, value, { maxItems: MOST_VALUES });
}
