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
