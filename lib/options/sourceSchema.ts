import type { JsonSchema } from '../json/json';
import type { Operation } from '../operations/Operation';
import { MOST_PARTS } from '../sources/ids';
import { exactly } from './exactly';
import { fieldSourceSchema } from './fieldSourceSchema';
import { isPlainObject } from './isPlainObject';

/** The JSON Schema of what a panel may say of one list, in the form in which `given` says it. */
export function sourceSchema(operation: Operation, given: unknown): JsonSchema {
  if (Array.isArray(given)) {
    const items = given.map((part) => partSchema(operation, part));
    const most = { maxItems: MOST_PARTS, expects: TOO_MANY_PARTS };
    return { type: 'array', ...(items.length > 0 ? { items } : {}), minItems: 1, allOf: [most] };
  }
  if (isPlainObject(given)) {
    return operation.fromSystemd && 'units' in given ? UNITS_SCHEMA : partSchema(operation, given);
  }
  return { const: false, expects: 'must be an object, a list of objects, or false' };
}

const TOO_MANY_PARTS = `must have at most ${MOST_PARTS} parts: for more, name one view or one query that unites them and has a text key`;

/** The JSON Schema of one source of a list. */
function partSchema({ fields, allowList }: Operation, given: unknown): JsonSchema {
  if (!isPlainObject(given)) return { type: 'object' };
  const every = {
    uniqueIds: { const: true, expects: 'must be true' },
    ...(allowList ? { keys: { type: 'array', items: { type: 'string', minLength: 1 } } } : {}),
  };
  if ('rows' in given) {
    const ids = { enum: ['integer', 'string'] };
    return exactly({ rows: FUNCTION, fields: suppliedSchema(fields), ids, ...every }, ['rows', 'fields']);
  }
  const described = describedSchema(fields, given.fields);
  if ('query' in given) {
    const named = { ...described, required: needed(fields) };
    return exactly({ query: FUNCTION, fields: named, ...every }, ['query', 'fields']);
  }
  return exactly({ table: { type: 'string', minLength: 1 }, fields: described, ...every });
}

const FUNCTION = { callable: true, expects: 'must be a function' } as const;

function describedSchema(fields: Operation['fields'], given: unknown): JsonSchema {
  const named = Object.entries(isPlainObject(given) ? given : {}).flatMap(([name, source]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field ? [[name, fieldSourceSchema(field, source)] as const] : [];
  });
  return {
    type: 'object',
    propertyNames: { enum: Object.keys(fields) },
    properties: Object.fromEntries(named),
  };
}

/** The fields that a source must name where none is read by its own name. */
function needed(fields: Operation['fields']): readonly string[] {
  return Object.keys(fields).filter((name) => fields[name]?.required && !fields[name]?.derivation);
}

function suppliedSchema(fields: Operation['fields']): JsonSchema {
  return {
    type: 'array',
    items: { enum: Object.keys(fields) },
    allOf: needed(fields).map((name) => ({
      contains: { const: name },
      expects: `must name ${name}, which is always present`,
    })),
  };
}

const UNITS_SCHEMA = exactly(
  {
    units: {
      type: 'array',
      items: exactly(
        {
          unit: { type: 'string', pattern: '^[A-Za-z0-9:_.@\\\\][A-Za-z0-9:_.@\\\\-]{0,255}$' },
          name: { type: 'string', minLength: 1 },
          category: { type: 'string', minLength: 1 },
        },
        ['unit'],
      ),
    },
  },
  ['units'],
);
