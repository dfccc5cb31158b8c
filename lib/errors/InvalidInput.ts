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
