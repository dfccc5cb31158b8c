import type { JsonSchema } from '../json/JsonSchema';
import type { OperationFacts } from '../operations/OperationFacts';

/** The JSON Schema of what a panel may say of one list. */
export function sourceSchema({ name, fields }: OperationFacts): JsonSchema {
  const table = {
    type: 'object',
    properties: {
      table: { type: 'string', minLength: 1 },
      fields: {
        type: 'object',
        propertyNames: { enum: Object.keys(fields) },
        properties: Object.fromEntries(
          Object.keys(fields)
            .filter((field) => fields[field]?.required)
            .map((field) => [field, { $ref: '#/$defs/requiredFieldSource' }]),
        ),
        additionalProperties: { $ref: '#/$defs/fieldSource' },
      },
      ...(name === 'settings' ? { keys: { type: 'array', items: { type: 'string', minLength: 1 } } } : {}),
    },
    additionalProperties: false,
  };
  const off = { const: false, expects: 'must be an object or false' };
  return { anyOf: name === 'services' ? [off, UNITS_SCHEMA, table] : [off, table] };
}

/** The JSON Schema of what a panel may say of one field, which `false` leaves out unless it is required. */
export function fieldSourceSchema(required: boolean): JsonSchema {
  const expects = required
    ? 'must be a column or { column, values }: this field is always present'
    : 'must be a column, { column, values } or false';
  const described = {
    expects,
    type: 'object',
    properties: {
      column: { type: 'string', minLength: 1 },
      values: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } },
    },
    additionalProperties: false,
  };
  const column = { expects, type: 'string', minLength: 1 };
  return { anyOf: required ? [column, described] : [column, described, { const: false, expects }] };
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
