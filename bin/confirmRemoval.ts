import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { CommandFailure } from './CommandFailure';
import { printNote } from './print';

/** Asks the person at the terminal; where there is none, the removal must be asked for in the command. */
export async function confirmRemoval(): Promise<void> {
  if (!isatty(0)) {
    throw new InvalidInput(
      'yes',
      'This removes every token and the audit trail: add --yes where nobody can be asked.',
    );
  }
  const lines = createInterface({ input: process.stdin });
  printNote('This removes every token and the audit trail. Type yes to go on.');
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (answer !== 'yes') throw new CommandFailure('usage', 'Nothing was removed.');
}
