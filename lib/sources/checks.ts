/** Looks at one option, which stands at `path`. Throws a TypeError that says what is wrong with it. */
export type Check = (value: unknown, path: string) => void;

/** Says that an option is wrong, and what it must be or why. */
export function wrong(path: string, why: string): TypeError {
  return new TypeError(`createPanelApi: the option ${path} is wrong (${why}).`);
}

/** Refuses a value for which `holds` does not return true. `why` ends the sentence, as `must be true` does. */
export function must(why: string, holds: (value: unknown) => boolean): Check {
  return (value, path) => {
    if (!holds(value)) throw wrong(path, why);
  };
}

/** Whether a value is an object as a literal makes it, in whatever context of Node, and no instance of anything. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const aFunction = must('must be a function', (value) => typeof value === 'function');
export const aText = must(
  'must be a text that is not empty',
  (value) => typeof value === 'string' && value !== '',
);
export const isTrue = must('must be true', (value) => value === true);

export function oneOf(values: readonly string[]): Check {
  return must(`must be one of ${values.join(', ')}`, (value) => values.includes(value as string));
}

/** An object with these members and no others. Names are checked before what they hold. */
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

/** An object with members of any names. */
export function recordOf(check: Check, checkName: Check = () => undefined): Check {
  return (value, path) => {
    if (!isPlainObject(value)) throw wrong(path, 'must be an object');
    for (const [name, member] of Object.entries(value)) {
      checkName(name, `${path}.${name}`);
      check(member, `${path}.${name}`);
    }
  };
}

/** What the check allows, unless it is an object or a list without members. */
export function notEmpty(check: Check): Check {
  return (value, path) => {
    check(value, path);
    if (Object.keys(Object(value)).length === 0) throw wrong(path, 'must not be empty');
  };
}

export function listOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'must be a list');
    for (const [index, item] of value.entries()) check(item, `${path}.${index}`);
  };
}

/** One value, or a list of several. */
export function orSeveral(check: Check): Check {
  const several = notEmpty(listOf(check));
  return (value, path) => (Array.isArray(value) ? several : check)(value, path);
}
