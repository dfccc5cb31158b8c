/** Checks the option at `path`. Throws a TypeError that says what is wrong. */
export type Check = (value: unknown, path: string) => void;

/** Returns the error of an invalid option. `why` ends the sentence, such as `must be true`. */
export function wrong(path: string, why: string): TypeError {
  return new TypeError(`createPanelApi: the option ${path} ${why}.`);
}

/** Refuses a value for which `holds` returns false. `why` ends the sentence, such as `must be true`. */
export function must(why: string, holds: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!holds(value)) throw wrong(path, why);
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

export function aWordOf(values: readonly string[]): Check {
  return must(`must be one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

/** Checks an object with these members only. Names are checked before values. */
export function closedObject(
  members: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): Check {
  return (value, path) => {
    if (!isPlainObject(value)) throw wrong(path, 'must be an object');
    const missing = required.find((name) => !Object.hasOwn(value, name));
    if (missing !== undefined)
      throw new TypeError(`createPanelApi: the option ${path}.${missing} is missing.`);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    if (unknown !== undefined) throw new TypeError(`createPanelApi: unknown option ${path}.${unknown}.`);
    for (const [name, member] of Object.entries(value)) members[name]?.(member, `${path}.${name}`);
  };
}

/** Checks an object with any member names. */
export function recordOf(check: Check, checkName: Check = () => undefined): Check {
  return (value, path) => {
    if (!isPlainObject(value)) throw wrong(path, 'must be an object');
    for (const [name, member] of Object.entries(value)) {
      checkName(name, `${path}.${name}`);
      check(member, `${path}.${name}`);
    }
  };
}

/** Extends a check: the object or list must not be empty. */
export function notEmpty(check: Check): Check {
  return (value, path) => {
    check(value, path);
    if (Object.keys(Object(value)).length === 0) throw wrong(path, 'must not be empty');
  };
}

export function aListOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'must be an array');
    for (const [index, item] of value.entries()) check(item, `${path}.${index}`);
  };
}

export function orSeveral(check: Check): Check {
  const several = notEmpty(aListOf(check));
  return (value, path) => (Array.isArray(value) ? several : check)(value, path);
}
