import type { JsonSchema } from '../json/JsonSchema';
import { MOST_VALUES } from './limits';

// NUL is in no text of any database, and PostgreSQL refuses to look for it.
const UNFINDABLE = /\0/;
const LONGEST = 1024;

/**
 * The values of a filter, separated by commas, as an item of this schema holds them; undefined where one of them can
 * be none.
 */
export function parseFilter(text: string, { type }: JsonSchema): ReadonlySet<string> | undefined {
  const values = text.split(',').map((value) => readValue(value, [type].flat()));
  if (values.length > MOST_VALUES || values.includes(undefined)) return undefined;
  return new Set(values.filter((value) => value !== undefined));
}

function readValue(value: string, types: readonly unknown[]): string | undefined {
  if (value === '' || value.length > LONGEST || UNFINDABLE.test(value)) return undefined;
  if (types.includes('boolean')) return value === 'true' || value === 'false' ? value : undefined;
  if (types.includes('string')) return value;
  return /^-?\d{1,40}$/.test(value) ? BigInt(value).toString() : undefined;
}
