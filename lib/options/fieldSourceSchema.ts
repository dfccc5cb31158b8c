import type { Field } from '../fields';
import type { FieldKind } from '../fields/Field';
import type { JsonSchema } from '../json/json';
import { MOST_PARTS } from '../sources/ids';
import { UNITS } from '../sources/mapping/unit';
import { exactly } from './exactly';
import { isPlainObject } from './isPlainObject';

/** A column's name. knex would read an alias out of one with `as` in it. */
const COLUMN = {
  type: 'string',
  pattern: '^(?!.*\\s[aA][sS]\\s).*\\S.*$',
  expects: "must be a column's name",
} as const;

const SENTINEL = {
  anyOf: [{ type: ['string', 'number', 'boolean'] }, { bigint: true }],
  expects: 'must be text, a number or a boolean, or a list of them',
} as const;
const SENTINELS = orSeveral(SENTINEL);
/** What a column must hold in a case; null means that it is NULL. */
const HELD = orSeveral({
  anyOf: [...SENTINEL.anyOf, { type: 'null' }],
  expects: 'must be text, a number, a boolean or null, or a list of them',
});

const FUNCTION = { callable: true, expects: 'must be a function' } as const;

function orSeveral(one: JsonSchema): JsonSchema {
  return { anyOf: [one, { type: 'array', items: one, minItems: 1 }] };
}

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
    ...(kind === 'id'
      ? {
          part: { type: 'integer', minimum: 0, maximum: MOST_PARTS - 1 },
          integer: { const: true, expects: 'must be true' },
        }
      : {}),
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
 * The JSON Schema of what a panel may say of one field, which `false` leaves out unless it is required: of the way in
 * which `given` says it, so that what is wrong is told by that alone.
 */
export function fieldSourceSchema({ kind, required }: Field, given: unknown): JsonSchema {
  if (!isPlainObject(given)) return plainSchema(required);
  const types = [VALUE_TYPES[kind]].flat();
  const orNull = valueSchema([...types, 'null']);
  if ('value' in given) return exactly({ value: required ? valueSchema(types) : orNull });
  const own = properties(kind);
  if ('columns' in given) {
    const columns = { type: 'object', additionalProperties: COLUMN, minProperties: 1 };
    const part = 'part' in own ? { part: own.part } : {};
    return exactly({ columns, compute: FUNCTION, ...part }, ['columns', 'compute']);
  }
  if ('cases' in given) return exactly({ cases: casesSchema(orNull), otherwise: orNull });
  return exactly({
    column: COLUMN,
    null: SENTINELS,
    values: { type: 'object', additionalProperties: orNull },
    otherwise: orNull,
    from: FUNCTION,
    ...own,
  });
}

function plainSchema(required: boolean): JsonSchema {
  return required
    ? { ...COLUMN, expects: 'must be a column or a description of one: this field is always present' }
    : {
        anyOf: [COLUMN, { const: false }],
        expects: 'must be a column, a description of one, or false',
      };
}

function casesSchema(said: JsonSchema): JsonSchema {
  const when = { type: 'object', propertyNames: COLUMN, additionalProperties: HELD, minProperties: 1 };
  return { type: 'array', minItems: 1, items: exactly({ when, is: said }, ['when', 'is']) };
}
