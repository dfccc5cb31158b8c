import { Ajv, type ErrorObject } from 'ajv';
import { refusalOf } from '../database/handles';
import type { Operation } from '../fields/Operation';
import type { JsonSchema } from '../json/json';
import { validateSources } from '../sources/validateSources';
import { isPlainObject, sayUnknown, wrong } from '../sources/validators';
import type { CheckedOptions, MountOptions } from './MountOptions';
import { OPTIONS_SCHEMA } from './optionsSchema';

/** Their members are conditions: one that is undefined is refused, because more rows would meet the others. */
const CONDITIONS: ReadonlySet<string> = new Set(['where', 'when']);

const LENT: ReadonlySet<string> = new Set(['db', 'readDb', 'logger', 'store']);

// Compiled once for all mounts of the process: that takes 10 ms.
const validatePlain = optionsValidator<MountOptions, CheckedOptions>('createPanelApi', OPTIONS_SCHEMA);

/**
 * Returns a copy of the options with all defaults; the panel's object is not changed. Throws a TypeError that names the
 * first unknown or wrong option.
 */
export function validateOptions(options: MountOptions, operations: readonly Operation[]): CheckedOptions {
  if (!isPlainObject(options))
    throw new TypeError('createPanelApi needs an object with the options db and logger.');
  if ('default' in options) throw new TypeError('createPanelApi got a module: pass its default export.');
  const plain = copyPlain(options) as MountOptions;
  const { installation } = plain;
  const named = typeof installation === 'function' ? { installation: installation() } : {};
  const copy = validatePlain({ ...plain, ...named });
  const { db, readDb = db, sources, rateLimit } = copy;
  for (const [name, handle] of Object.entries({ db, readDb })) {
    const refusal = refusalOf(handle);
    if (refusal !== null) throw wrong(name, refusal);
  }
  if (typeof rateLimit.store === 'string' && rateLimit.fallback !== 'none')
    throw wrong('rateLimit', 'may have a fallback only if its store is a Redis client');
  validateSources(sources, operations);
  return copy;
}

/**
 * Returns a validator of the options of a function such as createPanelApi, which returns a copy of them with the
 * defaults. It throws a TypeError that names the first unknown or wrong option. Besides JSON Schema, `holds` tests what
 * that cannot express, such as whether a value is a function, and `expects` ends the sentence about a wrong value.
 */
export function optionsValidator<Options, Checked = Required<Options>>(caller: string, schema: JsonSchema) {
  const code = { optimize: false };
  const ajv = new Ajv({ useDefaults: true, validateSchema: false, code, verbose: true, allErrors: true });
  ajv.addKeyword('expects');
  const holds = (test: (value: unknown) => boolean, value: unknown) => test(value);
  ajv.addKeyword({ keyword: 'holds', validate: holds });
  const isValid = ajv.compile<Checked>({ type: 'object', additionalProperties: false, ...schema });
  return (options: Options): Checked => {
    const checked: unknown = { ...options };
    if (isValid(checked)) return checked;
    // One that is missing may be the one that is misspelt.
    const unknown = isValid.errors?.find(({ keyword }) => keyword === 'additionalProperties');
    throw new TypeError(`${caller}: ${refusal(unknown ?? isValid.errors?.[0])}`);
  };
}

function refusal(error: Partial<ErrorObject> = {}): string {
  const { instancePath = '', keyword, params, parentSchema, message } = error;
  const path = instancePath.slice(1).replaceAll('/', '.');
  const below = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`);
  if (keyword === 'additionalProperties')
    return sayUnknown(below(params?.additionalProperty), Object.keys(parentSchema?.properties ?? {}));
  if (keyword === 'required') return `the option ${below(params?.missingProperty)} is missing.`;
  return `the option ${path} ${parentSchema?.expects ?? message}.`;
}

// Defaults are added to a copy. The handle, the logger and the Redis client belong to the panel, so they are not
// copied.
function copyPlain(value: unknown, isCondition = false): unknown {
  if (Array.isArray(value)) return value.map((member) => copyPlain(member));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => isCondition || member !== undefined)
      .map(([key, member]) => [key, LENT.has(key) ? member : copyPlain(member, CONDITIONS.has(key))]),
  );
}
