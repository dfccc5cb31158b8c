import type { Operation } from '../operations/Operation';
import { checkSources } from '../sources/checkSources';
import { isPlainObject, wrong } from '../sources/checks';
import type { CheckedOptions, MountOptions } from './MountOptions';
import { OPTIONS_SCHEMA, type OptionSchema } from './optionsSchema';

const LENT: ReadonlySet<string> = new Set(['db', 'readDb', 'logger', 'store']);

/**
 * Returns a copy of the options with all defaults; the panel's object is not changed. Throws a TypeError that names the
 * first unknown or wrong option.
 */
export function checkOptions(options: MountOptions, operations: readonly Operation[]): CheckedOptions {
  if (!isPlainObject(options))
    throw new TypeError('createPanelApi needs an object with the options db and logger.');
  const copy = copyPlain(options) as CheckedOptions;
  apply(OPTIONS_SCHEMA, copy, '');
  const { sources, rateLimit } = copy;
  if (typeof rateLimit.store === 'string' && rateLimit.fallback !== 'none')
    throw wrong('rateLimit', 'may have a fallback only if its store is a Redis client');
  checkSources(sources, operations);
  return copy;
}

/** Adds the defaults of a schema to a value. Throws for the first part of the value that the schema refuses. */
function apply(schema: OptionSchema, value: unknown, path: string): void {
  const { type, holds, expects, minimum = -Infinity, maximum = Infinity } = schema;
  const must = (isRight: boolean, why: string) => {
    if (!isRight) throw wrong(path, expects ?? why);
  };
  if (type) must(TYPES[type](value), `must be ${type}`);
  if (holds) must(holds(value), 'is wrong');
  if (schema.enum) must(schema.enum.includes(value), `must be one of ${schema.enum.join(', ')}`);
  if (typeof value === 'number') {
    must(value >= minimum, `must be >= ${minimum}`);
    must(value <= maximum, `must be <= ${maximum}`);
  }
  if (typeof value === 'string') {
    must(value.length >= (schema.minLength ?? 0), 'must not be empty');
    must(new RegExp(schema.pattern ?? '', 'u').test(value), `must match ${schema.pattern}`);
  }
  if (schema.items && Array.isArray(value))
    for (const [index, item] of value.entries()) apply(schema.items, item, `${path}.${index}`);
  if (schema.properties)
    applyMembers(schema, value as Record<string, unknown>, path === '' ? '' : `${path}.`);
}

const TYPES = {
  boolean: (value: unknown) => typeof value === 'boolean',
  string: (value: unknown) => typeof value === 'string',
  integer: Number.isInteger,
  array: Array.isArray,
  object: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const;

function applyMembers(
  { properties = {}, required = [] }: OptionSchema,
  value: Record<string, unknown>,
  path: string,
): void {
  for (const name of required)
    if (value[name] === undefined)
      throw new TypeError(`createPanelApi: the option ${path}${name} is missing.`);
  for (const name of Object.keys(value))
    if (!Object.hasOwn(properties, name))
      throw new TypeError(`createPanelApi: unknown option ${path}${name}.`);
  for (const [name, schema] of Object.entries(properties)) {
    if (value[name] === undefined && schema.default !== undefined)
      value[name] = structuredClone(schema.default);
    if (value[name] !== undefined) apply(schema, value[name], `${path}${name}`);
  }
}

// Defaults are added to a copy. The handle, the logger and the Redis client belong to the panel, so they are not
// copied.
function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, LENT.has(key) ? member : copyPlain(member)]),
  );
}
