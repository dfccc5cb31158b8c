import type { JsonSchema } from '../json/JsonSchema';
import { DEFAULT_LIMIT, MOST_ROWS, MOST_VALUES } from '../lists/limits';
import type { SourceReport } from '../sources/Source';

/** The query parameters of a list: exactly those that this installation takes. */
export function listParameters({ filters, updatedSince, itemSchema }: SourceReport): readonly JsonSchema[] {
  const fields = Object.keys(itemSchema.properties);
  return [
    parameter(
      'limit',
      `Asks for a page of so many items at most. ${DEFAULT_LIMIT} where only a cursor is given.`,
      {
        type: 'integer',
        minimum: 1,
        maximum: MOST_ROWS,
      },
    ),
    parameter('cursor', 'The `next_cursor` of the page before, for the same filters.', { type: 'string' }),
    several('fields', 'Only these fields, and the key.', { type: 'string', enum: fields }),
    ...(updatedSince
      ? [
          parameter('updated_since', 'Only what was changed at this time or later.', {
            type: 'string',
            anyOf: [
              { type: 'string', format: 'date-time' },
              { type: 'string', format: 'date' },
            ],
          }),
        ]
      : []),
    ...filters.map((name) =>
      several(
        name,
        `Only items with one of these values of \`${name}\`.`,
        wantedValue(itemSchema.properties[name]),
        MOST_VALUES,
      ),
    ),
  ];
}

function parameter(name: string, description: string, schema: JsonSchema): JsonSchema {
  return { name, in: 'query', description, schema };
}

/** A parameter of several values, separated by commas. */
function several(name: string, description: string, items: JsonSchema, maxItems?: number): JsonSchema {
  const schema = { type: 'array', items, minItems: 1, ...(maxItems === undefined ? {} : { maxItems }) };
  return { ...parameter(name, description, schema), style: 'form', explode: false };
}

/** What may be asked for: anything that the field may hold, but not that it holds nothing. */
function wantedValue({ type }: JsonSchema = {}): JsonSchema {
  const types = [type].flat().filter((name) => name !== undefined && name !== 'null');
  return types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types };
}
