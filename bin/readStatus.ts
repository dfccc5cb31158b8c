import { databaseFacts } from '../lib/database/databaseFacts';
import type { Installation } from '../lib/Installation';
import { rfc3339OfSeconds } from '../lib/time/rfc3339';
import { panelFailed } from './panelFailed';

export type Status = Awaited<ReturnType<typeof readStatus>>;

/** How the installation stands, for scripts. It makes no table. */
export async function readStatus(installation: Installation) {
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

// Without its tables the module's own switch is off.
async function enabledNow({ options, settings }: Installation, complete: boolean): Promise<boolean> {
  if (options.enabled === undefined) return complete && settings.enabled();
  return settings.get('enabled').catch(panelFailed);
}
