import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import type { Command } from 'commander';
import { InvalidInput } from '../../lib/errors/InvalidInput';
import type { Installation } from '../../lib/Installation';
import { migrationPatienceMs } from '../connect';
import { CommandFailure } from '../exit';
import { print, printJson, printNote } from '../output';
import { withInstallation } from '../withInstallation';

interface MigrateOptions {
  readonly down?: boolean;
  readonly yes?: boolean;
}

export function migrate(program: Command): void {
  program
    .command('migrate')
    .description("bring the module's tables up to date, or remove them")
    .option('--down', 'remove all of them, with every token and the audit trail')
    .option('--yes', 'remove them without a question')
    .action(run);
}

async function run({ down, yes }: MigrateOptions, command: Command): Promise<void> {
  if (down && !yes) await confirmRemoval();
  await withInstallation(command, {
    tables: false,
    patience: migrationPatienceMs,
    run: down ? removeTables : bringTables,
  });
}

async function bringTables({ migrations }: Installation, json: boolean): Promise<void> {
  const applied = await migrations.up();
  if (json) printJson({ applied });
  else print(applied.length === 0 ? 'The tables are up to date.' : `Applied ${applied.join(', ')}.`);
}

async function removeTables({ migrations }: Installation, json: boolean): Promise<void> {
  const removed = (await migrations.history()).map(({ name }) => name);
  await migrations.down();
  if (json) printJson({ removed });
  else print("The module's tables are removed.");
}

/** Asks the person at the terminal; where there is none, the removal must be asked for in the command. */
async function confirmRemoval(): Promise<void> {
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
