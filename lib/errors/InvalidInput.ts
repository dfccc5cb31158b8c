/** An administrator or a panel asked for something that cannot be done. The message says why; nothing was written. */
export class InvalidInput extends Error {
  /** The name of the wrong input. */
  readonly input: string;

  constructor(input: string, message: string) {
    super(message);
    this.name = 'InvalidInput';
    this.input = input;
  }
}
