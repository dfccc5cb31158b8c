import { confirm } from '../confirm';
import type { Definition } from '../onPanel';
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
    if (down && !yes)
      await confirm(terminal, 'This removes every token and the audit trail.', 'Nothing was removed.');
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
