import { CommandFailure } from './CommandFailure';
import { jsonText } from './jsonText';
import { printableText } from './printableText';
import { writeFully } from './writeFully';

/** Prints text for people on standard output. Throws a CommandFailure when it cannot be written. */
export function print(text: string): void {
  write(printableText(text));
}

/** Prints a value for scripts on standard output. Throws a CommandFailure when it cannot be written. */
export function printJson(value: unknown): void {
  write(jsonText(value));
}

/** Prints words beside the output on standard error, if they can be written. */
export function printNote(text: string): void {
  try {
    writeFully(2, `${printableText(text)}\n`);
  } catch {
    // There is nobody left to tell.
  }
}

function write(text: string): void {
  try {
    writeFully(1, `${text}\n`);
  } catch {
    throw new CommandFailure('output', 'The output cannot be written.');
  }
}
