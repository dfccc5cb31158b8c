import type { Field } from '../fields';
import type { FieldKind } from '../fields/Field';
import type { JsonSchema } from '../json/JsonSchema';
import { MOST_PARTS } from '../sources/partIds';
import { UNITS } from '../sources/unitFactor';

/** A column's name. knex would read an alias out of one with `as` in it. */
const COLUMN = { type: 'string', pattern: '^(?!.*\\s[aA][sS]\\s).*\\S.*$' } as const;

const SENTINEL = { type: ['string', 'number', 'boolean'] } as const;
const SENTINELS = { anyOf: [SENTINEL, { type: 'array', items: SENTINEL, minItems: 1 }] } as const;

/** What a constant or a translated value may be. */
const VALUE_TYPES: Readonly<Record<FieldKind, string | readonly string[]>> = {
  text: 'string',
  word: 'string',
  flag: 'boolean',
  id: ['integer', 'string'],
  number: 'number',
  bytes: 'number',
  milliseconds: 'number',
  time: 'string',
  list: 'array',
  made: ['string', 'number', 'boolean', 'array'],
};

/** What may be said of a column beside what may be said of every one. */
function properties(kind: FieldKind): Readonly<Record<string, JsonSchema>> {
  const units = Object.keys(UNITS[kind] ?? {});
  return {
    ...(kind === 'flag' ? { true: SENTINELS } : {}),
    ...(kind === 'id' ? { part: { type: 'integer', minimum: 0, maximum: MOST_PARTS - 1 } } : {}),
    ...(kind === 'list' ? { separator: { type: 'string', minLength: 1 } } : {}),
    ...(kind === 'time'
      ? {
          time: { enum: ['unix', 'unix-ms', 'date', 'datetime'] },
          zone: { timeZone: true, expects: 'must be an IANA time zone' },
        }
      : {}),
    ...(units.length > 0 ? { unit: { enum: units } } : {}),
  };
}

/**
 * The schemas of what a panel may say of these fields, each under `definitions` of the root: many fields are of one
 * kind, and to compile each for itself would cost most of the time that a mount takes.
 */
export function fieldSourceSchemas(fields: readonly Field[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(fields.map((field) => [definitionOf(field), fieldSourceSchema(field)]));
}

/** Refers to the schema of what a panel may say of the field. */
export function fieldSourceRef(field: Field): JsonSchema {
  return { $ref: `#/definitions/${definitionOf(field)}` };
}

function definitionOf({ kind, required }: Field): string {
  return required ? `required.${kind}` : kind;
}

/** The JSON Schema of what a panel may say of one field, which `false` leaves out unless it is required. */
function fieldSourceSchema({ kind, required }: Field): JsonSchema {
  const types = [VALUE_TYPES[kind]].flat();
  const value = { type: required ? types : [...types, 'null'] };
  const from = { callable: true, expects: 'must be a function' };
  const own = properties(kind);
  const constant = { type: 'object', properties: { value }, additionalProperties: false };
  const columns = {
    type: 'object',
    properties: {
      columns: { type: 'object', additionalProperties: COLUMN, minProperties: 1 },
      compute: from,
      ...('part' in own ? { part: own.part } : {}),
    },
    required: ['columns', 'compute'],
    additionalProperties: false,
  };
  const column = {
    type: 'object',
    properties: {
      column: COLUMN,
      null: SENTINELS,
      values: { type: 'object', additionalProperties: { type: [...types, 'null'] } },
      otherwise: { type: [...types, 'null'] },
      from,
      ...own,
    },
    additionalProperties: false,
  };
  const expects = required
    ? 'must be a column or a description of one: this field is always present'
    : 'must be a column, a description of one, or false';
  return {
    if: { type: 'object' },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    then: {
      if: { required: ['value'] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: constant,
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      else: { if: { required: ['columns'] }, then: columns, else: column },
    },
    else: { anyOf: required ? [COLUMN] : [COLUMN, { const: false }], expects },
  };
}
