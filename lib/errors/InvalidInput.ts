/** What an administrator or a panel asked for cannot be done as asked; the message says why and nothing was written. */
export class InvalidInput extends Error {
  /** The input that is wrong. */
  readonly input: string;

  constructor(input: string, message: string) {
    super(message);
    this.name = 'InvalidInput';
    this.input = input;
  }
}
