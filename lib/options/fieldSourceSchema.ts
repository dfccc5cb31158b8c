import type { Field } from '../fields';
import type { FieldKind } from '../fields/Field';
import type { JsonSchema } from '../json/JsonSchema';
import { MOST_PARTS } from '../sources/partIds';
import { UNITS } from '../sources/unitFactor';
import { choose, ifSchema } from './choose';

/** A column's name. knex would read an alias out of one with `as` in it. */
const COLUMN = { type: 'string', pattern: '^(?!.*\\s[aA][sS]\\s).*\\S.*$' } as const;

const SENTINEL = {
  anyOf: [{ type: ['string', 'number', 'boolean'] }, { bigint: true }],
  expects: 'must be text, a number or a boolean, or a list of them',
} as const;
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

/** A value of one of these types; a whole number may be a bigint. */
function valueSchema(types: readonly string[]): JsonSchema {
  const plain = { type: types, ...(types.includes('array') ? { items: { type: 'string' } } : {}) };
  if (!types.some((type) => type === 'integer' || type === 'number')) return plain;
  return { anyOf: [plain, { bigint: true }], expects: `must be ${types.join(',')}` };
}

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

/** Where `fieldSourceSchemas` has the schema of what a panel may say of a field. */
export function fieldSourceName({ kind, required }: Pick<Field, 'kind' | 'required'>): string {
  return `${kind}${required ? 'Required' : ''}`;
}

/** The JSON Schemas of what a panel may say of the fields of each kind, by name. */
export function fieldSourceSchemas(): Readonly<Record<string, JsonSchema>> {
  const kinds = Object.keys(VALUE_TYPES) as FieldKind[];
  const schemas = kinds.flatMap((kind) =>
    [false, true].map((required) => [fieldSourceName({ kind, required }), fieldSourceSchema(kind, required)]),
  );
  return Object.fromEntries(schemas);
}

/** The JSON Schema of what a panel may say of one field, which `false` leaves out unless it is required. */
function fieldSourceSchema(kind: FieldKind, required: boolean): JsonSchema {
  const types = [VALUE_TYPES[kind]].flat();
  const orNull = valueSchema([...types, 'null']);
  const value = required ? valueSchema(types) : orNull;
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
      values: { type: 'object', additionalProperties: orNull },
      otherwise: orNull,
      from,
      ...own,
    },
    additionalProperties: false,
  };
  const expects = required
    ? 'must be a column or a description of one: this field is always present'
    : 'must be a column, a description of one, or false';
  const described = choose(
    'value',
    constant,
    choose('columns', columns, choose('cases', casesSchema(orNull), column)),
  );
  const plain = { anyOf: required ? [COLUMN] : [COLUMN, { const: false }], expects };
  return ifSchema({ type: 'object' }, described, plain);
}

function casesSchema(said: JsonSchema): JsonSchema {
  const when = { type: 'object', propertyNames: COLUMN, additionalProperties: SENTINELS, minProperties: 1 };
  return {
    type: 'object',
    properties: {
      cases: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { when, is: said },
          required: ['when', 'is'],
          additionalProperties: false,
        },
      },
      otherwise: said,
    },
    additionalProperties: false,
  };
}
