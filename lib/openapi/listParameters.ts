import type { JsonSchema } from '../json/JsonSchema';
import { DEFAULT_LIMIT, MOST_ROWS, MOST_VALUES } from '../lists/limits';
import { parameterNames } from '../lists/parameterNames';
import type { SourceReport } from '../sources/Source';

/** The query parameters of a list: exactly those that this installation takes. */
export function listParameters(report: SourceReport): readonly JsonSchema[] {
  const { properties } = report.itemSchema;
  const described = new Map(
    [limit(), cursor(), fields(Object.keys(properties)), updatedSince()].map((one) => [one.name, one]),
  );
  return parameterNames(report).map((name) => described.get(name) ?? filter(name, properties[name]));
}

function limit(): JsonSchema {
  const description = `Asks for a page of so many items at most. ${DEFAULT_LIMIT} where only a cursor is given.`;
  return parameter('limit', description, { type: 'integer', minimum: 1, maximum: MOST_ROWS });
}

function cursor(): JsonSchema {
  const description = 'The `next_cursor` of the page before, for the same filters.';
  return parameter('cursor', description, { type: 'string' });
}

function fields(served: readonly string[]): JsonSchema {
  return several('fields', 'Only these fields, and the key.', { type: 'string', enum: served });
}

function updatedSince(): JsonSchema {
  const forms = ['date-time', 'date'].map((format) => ({ type: 'string', format }));
  const description = 'Only what was changed at this time or later.';
  return parameter('updated_since', description, { type: 'string', anyOf: forms });
}

function filter(name: string, schema: JsonSchema | undefined): JsonSchema {
  const description = `Only items with one of these values of \`${name}\`.`;
  return several(name, description, wantedValue(schema), MOST_VALUES);
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
function wantedValue({ type, enum: words }: JsonSchema = {}): JsonSchema {
  const types = [type].flat().filter((name) => name !== undefined && name !== 'null');
  const values = Array.isArray(words) ? { enum: words.filter((word) => word !== null) } : {};
  return types.length === 0 ? values : { type: types.length === 1 ? types[0] : types, ...values };
}
