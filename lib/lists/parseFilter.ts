import { ApiError } from '../errors/ApiError';
import type { JsonSchema } from '../json/JsonSchema';
import { MOST_VALUES } from './limits';

// NUL is in no text of any database, and PostgreSQL refuses to look for it.
const UNFINDABLE = /\0/;
const LONGEST = 1024;

/**
 * The values of a filter, separated by commas, as an item of this schema holds them. Throws ApiError `query_invalid` if
 * one of them can be none, or if the field's words are a closed set without it.
 */
export function parseFilter(parameter: string, text: string, schema: JsonSchema): ReadonlySet<string> {
  const { expected, read } = valuesOf([schema.type].flat());
  const values = text.split(',').map(read);
  const found = new Set(values.filter((value) => value !== undefined));
  const allowed = Array.isArray(schema.enum) ? schema.enum.filter((word) => word !== null) : null;
  if (allowed && [...found].some((value) => !allowed.includes(value)))
    throw new ApiError('query_invalid', { parameter, allowed });
  if (values.length > MOST_VALUES || values.includes(undefined))
    throw new ApiError('query_invalid', { parameter, expected });
  return found;
}

/** How the values of a field are written: in words, and how one is read, undefined if it is none. */
interface Values {
  readonly expected: string;
  readonly read: (text: string) => string | undefined;
}

const FLAGS: Values = {
  expected: 'true or false',
  read: (text) => (text === 'true' || text === 'false' ? text : undefined),
};

const TEXTS: Values = {
  expected: `1 to ${MOST_VALUES} values with commas between them, each of 1 to ${LONGEST.toLocaleString('en')} characters without NUL`,
  read: (text) => (text === '' || text.length > LONGEST || UNFINDABLE.test(text) ? undefined : text),
};

const INTEGERS: Values = {
  expected: `1 to ${MOST_VALUES} whole numbers with commas between them`,
  read: (text) => (/^-?\d{1,40}$/.test(text) ? BigInt(text).toString() : undefined),
};

function valuesOf(types: readonly unknown[]): Values {
  if (types.includes('boolean')) return FLAGS;
  return types.includes('string') ? TEXTS : INTEGERS;
}
