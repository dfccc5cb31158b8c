import { didYouMean } from '../errors/InvalidInput';

/** Validates the option at `path`. Throws a TypeError that says what is wrong. */
export type Validator = (value: unknown, path: string) => void;

/** Returns the error of an invalid option. `why` ends the sentence, such as `must be true`. */
export function wrong(path: string, why: string, more = ''): TypeError {
  return new TypeError(`createPanelApi: the option ${path} ${why}.${more}`);
}

/** Says that the last name of a path is no option, and which known one is like it, or else all. */
export function sayUnknown(path: string, known: readonly string[]): string {
  const others = ` Possible: ${known.join(', ')}.`;
  return `unknown option ${path}.${didYouMean(path.slice(path.lastIndexOf('.') + 1), known, others)}`;
}

/** Refuses a value for which `holds` returns false. `why` ends the sentence, such as `must be true`; `more` follows it. */
export function must(
  why: string,
  holds: (value: unknown) => boolean,
  more: (value: unknown) => string = () => '',
): Validator {
  return (value, path) => {
    if (!holds(value)) throw wrong(path, why, more(value));
  };
}

/** Whether a value is a plain object, from any context of Node, and no instance of a class. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const aFunction = must('must be a function', (value) => typeof value === 'function');
export const aText = must(
  'must be a string that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const isTrue = must('must be true', (value) => value === true);

export function aWordOf(values: readonly string[]): Validator {
  const like = (value: unknown) => didYouMean(typeof value === 'string' ? value : '', values);
  return must(`must be one of ${values.join(', ')}`, (value) => values.includes(value as string), like);
}

/** Validates an object with these members only. Names are validated before values. */
export function closedObject(
  members: Readonly<Record<string, Validator>>,
  required: readonly string[] = [],
): Validator {
  return (value, path) => {
    if (!isPlainObject(value)) throw wrong(path, 'must be an object');
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined)
      throw new TypeError(`createPanelApi: ${sayUnknown(`${path}.${unknown}`, Object.keys(members))}`);
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined) throw wrong(`${path}.${missing}`, 'is missing');
    for (const [name, member] of Object.entries(value)) members[name]?.(member, `${path}.${name}`);
  };
}

/** Validates an object with any member names. */
export function recordOf(validate: Validator, validateName: Validator = () => undefined): Validator {
  return (value, path) => {
    if (!isPlainObject(value)) throw wrong(path, 'must be an object');
    for (const [name, member] of Object.entries(value)) {
      validateName(name, `${path}.${name}`);
      validate(member, `${path}.${name}`);
    }
  };
}

/** Extends a validator: the object or list must not be empty. */
export function notEmpty(validate: Validator): Validator {
  return (value, path) => {
    validate(value, path);
    if (Object.keys(Object(value)).length === 0) throw wrong(path, 'must not be empty');
  };
}

export function aListOf(validate: Validator): Validator {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'must be an array');
    for (const [index, item] of value.entries()) validate(item, `${path}.${index}`);
  };
}

export function orSeveral(validate: Validator): Validator {
  const several = notEmpty(aListOf(validate));
  return (value, path) => (Array.isArray(value) ? several : validate)(value, path);
}
