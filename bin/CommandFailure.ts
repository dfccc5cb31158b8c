import type { Exit } from './exitCodes';

/** The command cannot do what it was asked; the message is for the person at the terminal. */
export class CommandFailure extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, message: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exit = exit;
  }
}
