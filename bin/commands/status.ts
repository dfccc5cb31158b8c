import type { Command } from 'commander';
import { formatFacts } from '../formatTable';
import { print, printJson } from '../print';
import { readStatus, type Status } from '../readStatus';
import { withInstallation } from '../withInstallation';

export function status(program: Command): void {
  program
    .command('status')
    .description('show the switch, the database, the tables and how many tokens there are')
    .action(show);
}

async function show(_options: object, command: Command): Promise<void> {
  await withInstallation(command, {
    tables: false,
    async run(installation, json) {
      const found = await readStatus(installation);
      if (json) printJson(found);
      else print(formatFacts(factsOf(found)));
    },
  });
}

function factsOf({ enabled, decided_by, database, tables, tokens }: Status): Record<string, string> {
  return {
    api: `${enabled ? 'on' : 'off'}${decided_by === 'panel' ? " (by the panel's own setting)" : ''}`,
    database: `${database.kind} ${database.version}`,
    tables: tables.pending.length === 0 ? 'up to date' : `not applied: ${tables.pending.join(', ')}`,
    tokens: tokens
      ? `${tokens.active} active, ${tokens.expired} expired, ${tokens.revoked} revoked`
      : 'none yet',
  };
}
