import { ApiError, refuseParameter } from '../../lib/errors/ApiError';
import type { JsonSchema } from '../../lib/json/json';
import { shownName } from '../../lib/lists/parseListQuery';
import { parsedIf } from '../exactNumbers';
import { textOf } from '../where';
import type { ArgumentSchema } from './Tool';

/** The schema of all arguments of a tool. */
export interface InputSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, ArgumentSchema>>;
  readonly required?: readonly string[];
}

/** How arguments of one type are read. */
interface ArgumentType {
  readonly expected: (schema: ArgumentSchema) => string;
  /** Returns the value; undefined if it is none of this schema. */
  readonly read: (value: unknown, schema: ArgumentSchema) => unknown;
}

const TYPES: Readonly<Record<ArgumentSchema['type'], ArgumentType>> = {
  string: {
    expected: ({ maxLength }) =>
      `a text of 1 ${maxLength === undefined ? 'character or more' : `to ${maxLength} characters`}, without NUL`,
    read(value, { maxLength = Number.POSITIVE_INFINITY }) {
      const text = textOf(value);
      return text !== undefined && text.length <= maxLength ? text : undefined;
    },
  },
  integer: {
    expected: ({ minimum, maximum }) => `a whole number from ${minimum} to ${maximum}`,
    read(value, { minimum = 0, maximum = 0 }) {
      const text = textOf(value) ?? '';
      const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
  },
  array: {
    expected: () => 'an array of one or more texts',
    read(value) {
      const values = parsedIf('[', value);
      const names = typeof values === 'string' ? values.split(',').map((one) => one.trim()) : values;
      const texts = [names].flat().map(textOf);
      return texts.length > 0 && !texts.includes(undefined) ? texts : undefined;
    },
  },
  object: {
    expected: () => 'a JSON object',
    read(value) {
      const object = parsedIf('{', value);
      return typeof object === 'object' && object !== null && !Array.isArray(object) ? object : undefined;
    },
  },
};

/**
 * Reads the arguments of a tool by its schema, also those that a program wrote as text, or as null instead of leaving
 * them out. Throws ApiError `query_invalid` that names the first wrong one.
 */
export function readArguments(
  { properties, required = [] }: InputSchema,
  given: unknown,
  tokenPrefix: string,
): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const all = readArgument('arguments', given ?? {}, { type: 'object' }) as object;
  for (const [name, value] of Object.entries(all)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) {
      const supported = Object.keys(properties);
      throw new ApiError('query_invalid', { parameter: shownName(name, tokenPrefix), supported });
    }
    if (value !== null) args[name] = readArgument(name, value, schema);
  }
  const missing = required.find((name) => !Object.hasOwn(args, name));
  if (missing !== undefined) refuseParameter(missing, 'given');
  return args;
}

function readArgument(parameter: string, value: unknown, schema: ArgumentSchema): unknown {
  const { read, expected } = TYPES[schema.type];
  const argument = read(value, schema);
  if (schema.enum && !schema.enum.includes(String(argument)))
    throw new ApiError('query_invalid', { parameter, allowed: schema.enum });
  if (argument === undefined) refuseParameter(parameter, expected(schema));
  return argument;
}
