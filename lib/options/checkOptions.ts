import { Ajv, type ErrorObject } from 'ajv';
import type { Operation } from '../operations/Operation';
import { zonedTime } from '../time/zonedTime';
import { checkSources } from './checkSources';
import { isPlainObject } from './isPlainObject';
import type { CheckedOptions, MountOptions } from './MountOptions';
import { optionsSchema } from './optionsSchema';

const LENT: ReadonlySet<string> = new Set(['db', 'logger', 'store']);

/** Keywords that fail for a name nobody knows. */
const UNKNOWN_NAME: ReadonlySet<string> = new Set(['additionalProperties', 'propertyNames']);

/**
 * The options with their defaults, in an object of our own: the panel's is left as it is.
 * Throws a TypeError that names the first option that is unknown or wrong.
 */
export function checkOptions(options: MountOptions, operations: readonly Operation[]): CheckedOptions {
  if (!isPlainObject(options)) throw new TypeError('createPanelApi needs an object with db and logger.');
  const ajv = new Ajv({
    useDefaults: true,
    strictTypes: false,
    strictTuples: false,
    inlineRefs: false,
    validateSchema: false,
    code: { optimize: false },
    verbose: true,
  });
  ajv.addKeyword('expects');
  ajv.addKeyword({ keyword: 'knexHandle', validate: (_: true, value: unknown) => isKnexHandle(value) });
  ajv.addKeyword({ keyword: 'callable', validate: (_: true, value: unknown) => typeof value === 'function' });
  ajv.addKeyword({ keyword: 'callables', validate: hasCallables });
  ajv.addKeyword({ keyword: 'bigint', validate: (_: true, value: unknown) => typeof value === 'bigint' });
  ajv.addKeyword({ keyword: 'timeZone', validate: (_: true, value: unknown) => isTimeZone(value) });
  ajv.addKeyword({
    keyword: 'booleanOrFunction',
    validate: (_: true, value: unknown) => typeof value === 'boolean' || typeof value === 'function',
  });
  const copy = copyPlain(options) as { readonly sources?: unknown };
  const check = ajv.compile(optionsSchema(operations, isPlainObject(copy.sources) ? copy.sources : {}));
  if (!check(copy)) throw new TypeError(`createPanelApi: ${sentence(check.errors ?? [])}`);
  checkSources(Object(copy.sources), operations);
  return copy as unknown as CheckedOptions;
}

function sentence(errors: readonly ErrorObject[]): string {
  const error = mostTelling(errors);
  const path = (error?.instancePath ?? '').slice(1).replaceAll('/', '.');
  const below = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`);
  if (error?.keyword === 'additionalProperties') {
    return `unknown option ${below(error.params.additionalProperty)}.`;
  }
  if (error?.keyword === 'propertyNames') return `unknown option ${below(error.params.propertyName)}.`;
  if (error?.keyword === 'required') return `the option ${below(error.params.missingProperty)} is missing.`;
  return `the option ${path} is wrong (${expectation(error)}).`;
}

function expectation(error: ErrorObject | undefined): string {
  if (error?.parentSchema?.expects !== undefined) return String(error.parentSchema.expects);
  if (error?.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`;
  return String(error?.message);
}

// Of the alternatives that an option had, the one that came furthest says best what is wrong.
function mostTelling(errors: readonly ErrorObject[]): ErrorObject | undefined {
  const depth = ({ instancePath, keyword }: ErrorObject) =>
    instancePath.split('/').length + (UNKNOWN_NAME.has(keyword) ? 0.5 : 0);
  return errors.toSorted((one, other) => depth(other) - depth(one))[0];
}

// Defaults are filled into a copy; the handle, the logger and the Redis client are lent and stay themselves.
function copyPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyPlain);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, LENT.has(key) ? member : copyPlain(member)]),
  );
}

function isKnexHandle(value: unknown): boolean {
  return typeof value === 'function' && 'client' in value && 'raw' in value;
}

function isTimeZone(value: unknown): boolean {
  try {
    zonedTime(String(value));
    return typeof value === 'string';
  } catch {
    return false;
  }
}

function hasCallables(names: readonly string[], value: unknown): boolean {
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return (
    value !== null && names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function')
  );
}
