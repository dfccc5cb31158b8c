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

/** Throws InvalidInput if it is no object, or has a property of another name, such as a misspelt one. */
export function checkKeys(given: object, what: string, known: readonly string[]): void {
  if (typeof given === 'object' && given !== null && Object.keys(given).every((key) => known.includes(key)))
    return;
  throw new InvalidInput('request', `${what} may have only ${known.join(', ')}.`);
}

/**
 * Whether a token could have this id: the column is a 32-bit integer, and PostgreSQL refuses to compare a larger one.
 * Throws InvalidInput for anything but a whole number, so that no text from a URL passes for an unknown id.
 */
export function isTokenId(id: number): boolean {
  if (!Number.isInteger(id)) throw new InvalidInput('id', 'The id of a token must be a whole number.');
  return id > 0 && id < 2 ** 31;
}
