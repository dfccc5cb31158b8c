import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { CommandFailure } from './exit';
import type { Terminal } from './Terminal';

/** Asks for confirmation of this sentence on the terminal. A script must confirm with --yes. */
export async function confirm(terminal: Terminal, sentence: string, refused: string): Promise<void> {
  const { stdin } = terminal.io;
  if (!stdin.isTTY) throw new InvalidInput('yes', `${sentence} Without a terminal, confirm it with --yes.`);
  const lines = createInterface({ input: stdin });
  terminal.note(`${sentence} Type yes to continue.`);
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (answer !== 'yes') throw new CommandFailure('usage', refused);
}
