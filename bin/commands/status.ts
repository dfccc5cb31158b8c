import type { Command } from 'commander';
import { databaseFacts } from '../../lib/health/databaseFacts';
import type { Installation } from '../../lib/Installation';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { panelFailed } from '../exit';
import { formatFacts } from '../output';
import { withInstallation } from '../withInstallation';

export function status(program: Command): void {
  program
    .command('status')
    .description('show whether the API is on, the database, the tables and the number of tokens')
    .action(show);
}

async function show(_options: object, command: Command): Promise<void> {
  await withInstallation(
    command,
    async (installation) => {
      const found = await readStatus(installation);
      return { json: found, text: formatFacts(factsOf(found)) };
    },
    { tables: false },
  );
}

/** Reads the state of the installation without creating tables. */
async function readStatus(installation: Installation) {
  const { migrations, options, tokens } = installation;
  const pending = await migrations.pending();
  const complete = pending.length === 0;
  return {
    enabled: await enabledNow(installation, complete),
    decided_by: options.enabled === undefined ? ('switch' as const) : ('panel' as const),
    database: await databaseFacts(installation.database),
    tables: {
      prefix: options.tablePrefix,
      applied: (await migrations.history()).map(({ name, appliedAt }) => ({
        name,
        applied_at: rfc3339OfSeconds(appliedAt),
      })),
      pending,
    },
    tokens: complete ? await tokens.countStates() : null,
  };
}

// Without its tables, the module's switch is off.
async function enabledNow({ options, settings }: Installation, complete: boolean): Promise<boolean> {
  if (options.enabled === undefined) return complete && settings.enabled();
  return settings.get('enabled').catch(panelFailed);
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function factsOf({ enabled, decided_by, database, tables, tokens }: Status): Record<string, string> {
  return {
    api: `${enabled ? 'on' : 'off'}${decided_by === 'panel' ? ' (set by the mount option enabled)' : ''}`,
    database: `${database.kind} ${database.version}`,
    tables: tables.pending.length === 0 ? 'up to date' : `pending migrations: ${tables.pending.join(', ')}`,
    tokens: tokens
      ? `${tokens.active} active, ${tokens.expired} expired, ${tokens.revoked} revoked`
      : 'none yet',
  };
}
