import type { JsonSchema } from '../json/JsonSchema';
import type { OperationFacts } from '../operations/OperationFacts';
import { MOST_PARTS } from '../sources/partIds';
import { fieldSourceRef } from './fieldSourceSchema';

/** The JSON Schema of what a panel may say of one list. */
export function sourceSchema(operation: OperationFacts): JsonSchema {
  const part = partSchema(operation);
  const several = { type: 'array', items: part, minItems: 1, maxItems: MOST_PARTS };
  const one = operation.fromSystemd ? choose('units', UNITS_SCHEMA, part) : part;
  return {
    if: { type: 'array' },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: several,
    else: {
      if: { type: 'object' },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: one,
      else: { const: false, expects: 'must be an object, a list of objects, or false' },
    },
  };
}

function partSchema({ fields, allowList }: OperationFacts): JsonSchema {
  const names = Object.keys(fields);
  const described = {
    type: 'object',
    propertyNames: { enum: names },
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldSourceRef(field)]),
    ),
  };
  const keys = allowList ? { keys: { type: 'array', items: { type: 'string', minLength: 1 } } } : {};
  const functionSchema = { callable: true, expects: 'must be a function' };
  const table = {
    type: 'object',
    properties: { table: { type: 'string', minLength: 1 }, fields: described, ...keys },
    additionalProperties: false,
  };
  const query = {
    type: 'object',
    properties: { query: functionSchema, fields: described, ...keys },
    required: ['query', 'fields'],
    additionalProperties: false,
  };
  const provider = {
    type: 'object',
    properties: {
      rows: functionSchema,
      fields: {
        type: 'array',
        items: { enum: names },
        allOf: names
          .filter((name) => fields[name]?.required && !fields[name]?.derivation)
          .map((name) => ({
            contains: { const: name },
            expects: `must name ${name}, which is always present`,
          })),
      },
      ids: { enum: ['integer', 'string'] },
      ...keys,
    },
    required: ['rows', 'fields'],
    additionalProperties: false,
  };
  return choose('rows', provider, choose('query', query, table));
}

/** One schema for objects with the property, another for all others. */
function choose(property: string, yes: JsonSchema, no: JsonSchema): JsonSchema {
  return {
    type: 'object',
    if: { required: [property] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: yes,
    else: no,
  };
}

const UNITS_SCHEMA = {
  type: 'object',
  properties: {
    units: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          unit: { type: 'string', pattern: '^[A-Za-z0-9:_.@\\\\][A-Za-z0-9:_.@\\\\-]{0,255}$' },
          name: { type: 'string', minLength: 1 },
          category: { type: 'string', minLength: 1 },
        },
        required: ['unit'],
        additionalProperties: false,
      },
    },
  },
  required: ['units'],
  additionalProperties: false,
} satisfies JsonSchema;
