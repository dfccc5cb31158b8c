import { printable } from './printable';

/** The input of an administrator or of the panel is invalid. The message says why. Nothing was written. */
export class InvalidInput extends Error {
  /** The name of the invalid input. */
  readonly input: string;

  constructor(input: string, message: string) {
    super(message);
    this.name = 'InvalidInput';
    this.input = input;
  }
}

/** Returns, after a blank, a sentence with the one or two known names that are most like an unknown one, or `others`. */
export function didYouMean(name: string, known: readonly string[], others = ''): string {
  const given = marksOf(name);
  const likeness = (one: string) => {
    const marks = marksOf(one);
    return (2 * [...marks].filter((mark) => given.has(mark)).length) / (given.size + marks.size);
  };
  const least = Math.max(0.5, Math.max(...known.map(likeness)) - 0.15);
  const near = known.filter((one) => likeness(one) >= least).slice(0, 2);
  return near.length === 0 ? others : ` Did you mean ${near.join(' or ')}?`;
}

/** Returns the error of an unknown word, with the known one that is most like it, or all. */
export function unknownWord(
  input: string,
  what: string,
  given: string,
  known: readonly string[],
  problem = `Unknown ${what}`,
): InvalidInput {
  const others = didYouMean(given, known, ` The ${what}s are ${known.join(', ')}.`);
  return new InvalidInput(input, `${problem} "${printable(given, 64)}".${others}`);
}

/** What like names have in common: pairs of letters that follow one another, and all letters in alphabetical order. */
function marksOf(name: string): ReadonlySet<string> {
  const letters = name.slice(0, 64).replace(/[\W_]/g, '').toLowerCase();
  const pairs = [...letters, ' '].map((letter, at) => (letters[at - 1] ?? ' ') + letter);
  return new Set([...pairs, [...letters].toSorted().join('')]);
}

/**
 * Returns a copy of the known properties, also of inherited ones, so that a later change of the object has no effect. Throws
 * InvalidInput if it is no object, or has a property of another name, such as a misspelt one.
 */
export function checkKeys<T extends object>(given: T, what: string, known: readonly string[]): T {
  const unknown = Object.keys(Object(given)).find((key) => !known.includes(key));
  const only = `${what} may have only ${known.join(', ')}.`;
  if (typeof given !== 'object' || given === null) throw new InvalidInput('request', only);
  if (unknown !== undefined)
    throw new InvalidInput(
      'request',
      `Unknown property ${printable(unknown, 64)}.${didYouMean(unknown, known)} ${only}`,
    );
  const copyOf = (value: unknown) => (Array.isArray(value) ? [...value] : value);
  const names = known.filter((key) => key in given);
  return Object.fromEntries(names.map((key) => [key, copyOf(given[key as keyof T])])) as T;
}

/**
 * Whether a token could have this id: the column is a 32-bit integer, and PostgreSQL refuses to compare a larger one.
 * Throws InvalidInput for anything but a whole number, so that no text from a URL passes for an unknown id.
 */
export function isTokenId(id: number): boolean {
  if (!Number.isInteger(id)) throw new InvalidInput('id', 'The id of a token must be a whole number.');
  return id > 0 && id < 2 ** 31;
}
