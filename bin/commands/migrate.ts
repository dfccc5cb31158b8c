import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import { CommandFailure } from '../exit';
import type { Definition } from '../onPanel';
import type { Terminal } from '../Terminal';
import { migrationTimeoutMs } from '../timeouts';

export const migrate: Definition<[{ readonly down?: boolean; readonly yes?: boolean }]> = {
  description: "create or upgrade the module's tables, or remove them",
  tables: false,
  timeoutMs: migrationTimeoutMs,
  define: (command) =>
    command
      .option('--down', "remove the module's tables, with every token and the audit trail")
      .option('--yes', 'with --down, do not ask for confirmation'),
  async validate(terminal, { down, yes }) {
    if (down && !yes) await confirmRemoval(terminal);
  },
  async run({ migrations }, _, { down }) {
    if (down) {
      const removed = (await migrations.history()).map(({ name }) => name);
      await migrations.down();
      return { json: { removed }, text: "The module's tables were removed." };
    }
    const applied = await migrations.up();
    const text = applied.length === 0 ? 'The tables are up to date.' : `Applied ${applied.join(', ')}.`;
    return { json: { applied }, text };
  },
};

/** Asks for confirmation on the terminal. A script must confirm with --yes. */
async function confirmRemoval(terminal: Terminal): Promise<void> {
  const { stdin } = terminal.io;
  if (!stdin.isTTY)
    throw new InvalidInput(
      'yes',
      'This removes every token and the audit trail. Without a terminal, confirm it with --yes.',
    );
  const lines = createInterface({ input: stdin });
  terminal.note('This removes every token and the audit trail. Type yes to continue.');
  const [answer] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (answer !== 'yes') throw new CommandFailure('usage', 'Nothing was removed.');
}
