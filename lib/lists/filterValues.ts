import { ApiError, refuseParameter } from '../errors/ApiError';
import type { JsonSchema } from '../json/json';

/** The values of each parameter. Only one that takes several, separated by commas or repeated, has more than one. */
export type QueryValues = ReadonlyMap<string, readonly string[]>;

/** Maximum values of a filter. */
export const MOST_VALUES = 100;

/** A value with the comma that ends it. Within quotes at its beginning, a comma ends nothing. */
const VALUE = /("[^"]*(?:""[^"]*)*"(?!"))?([^,]*),/g;

/**
 * Returns the values of a parameter, which are separated by commas. One that is in double quotes as a whole is what they
 * enclose, with each doubled quote as one. Throws ApiError `query_invalid` if quotes are not closed.
 */
export function splitValues(parameter: string, text: string): readonly string[] {
  return [...`${text},`.matchAll(VALUE)].map(([, quoted = '', rest = '']) => {
    if (quoted === '' && rest.startsWith('"'))
      refuseParameter(
        parameter,
        'closed by a double quote, because a value begins with one; a double quote within such a value is doubled',
      );
    return rest === '' ? quoted.slice(1, -1).replaceAll('""', '"') : quoted + rest;
  });
}

// No database has a text with NUL, and PostgreSQL refuses to search for it.
const UNFINDABLE = /\0/;
/** Maximum characters of a value. */
export const LONGEST_VALUE = 1024;

/**
 * Returns the values of a filter as an item with this schema contains them. Throws ApiError `query_invalid` if a value is
 * not valid for the field, or not one of its words if these are a closed set.
 */
export function readFilter(
  parameter: string,
  written: readonly string[],
  schema: JsonSchema,
): ReadonlySet<string> {
  const types: readonly unknown[] = [schema.type].flat();
  const { expected, read } = types.includes('boolean') ? FLAGS : types.includes('string') ? TEXTS : INTEGERS;
  const values = written.map(read);
  const found = new Set(values.filter((value) => value !== undefined));
  const allowed = Array.isArray(schema.enum) ? schema.enum.filter((word) => word !== null) : null;
  if (allowed && [...found].some((value) => !allowed.includes(value)))
    throw new ApiError('query_invalid', { parameter, allowed });
  if (values.length > MOST_VALUES || values.includes(undefined)) refuseParameter(parameter, expected);
  return found;
}

/** How clients write a field's values: a description, and the parser, which returns undefined for an invalid value. */
interface Values {
  readonly expected: string;
  readonly read: (text: string) => string | undefined;
}

/**
 * Returns `true` or `false` as an answer writes it; undefined for another word. Some languages write true as True, and
 * some tools as 1.
 */
export function readFlagWord(text: string): string | undefined {
  if (/^(?:true|1)$/i.test(text)) return 'true';
  return /^(?:false|0)$/i.test(text) ? 'false' : undefined;
}

const FLAGS: Values = { expected: 'true or false', read: readFlagWord };

const TEXTS: Values = {
  expected: `1 to ${MOST_VALUES} values separated by commas, each of 1 to ${LONGEST_VALUE.toLocaleString('en')} characters and without NUL; a value with a comma is written in double quotes`,
  read: (text) => (text === '' || text.length > LONGEST_VALUE || UNFINDABLE.test(text) ? undefined : text),
};

const INTEGERS: Values = {
  expected: `1 to ${MOST_VALUES} whole numbers separated by commas`,
  read: (text) => (/^-?\d{1,40}$/.test(text) ? BigInt(text).toString() : undefined),
};
