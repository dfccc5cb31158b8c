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

/**
 * Returns a copy of the known properties, also of inherited ones, so that a later change of the object has no effect. Throws
 * InvalidInput if it is no object, or has a property of another name, such as a misspelt one.
 */
export function checkKeys<T extends object>(given: T, what: string, known: readonly string[]): T {
  if (typeof given !== 'object' || given === null || Object.keys(given).some((key) => !known.includes(key)))
    throw new InvalidInput('request', `${what} may have only ${known.join(', ')}.`);
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
