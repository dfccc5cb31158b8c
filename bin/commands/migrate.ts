import type { Command } from 'commander';
import type { Installation } from '../../lib/Installation';
import { confirmRemoval } from '../confirmRemoval';
import { migrationPatienceMs } from '../patience';
import { print, printJson } from '../print';
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
