import { databaseFacts } from '../../lib/health/databaseChecks';
import type { Installation } from '../../lib/Installation';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { UsageTotal } from '../../lib/usage/usageTable';
import { panelFailed } from '../exit';
import type { Definition } from '../onInstallation';
import { type Cell, formatFacts } from '../table';

export const status: Definition = {
  description: 'show whether the API is on, the database, the tables and the number of tokens',
  tables: false,
  async run(installation, { terminal }) {
    const found = await readStatus(installation);
    return { json: found, text: formatFacts(factsOf(found), terminal.screen) };
  },
};

/** Reads the state of the installation without creating tables. */
async function readStatus(installation: Installation) {
  const { migrations, options, tokens, usage } = installation;
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
    requests: complete ? await usage.totals() : null,
  };
}

// Without its tables, the module's switch is off.
async function enabledNow({ options, settings }: Installation, complete: boolean): Promise<boolean> {
  if (options.enabled === undefined) return complete && settings.enabled();
  return settings.get('enabled').catch(panelFailed);
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function factsOf({ enabled, decided_by, database, tables, tokens, requests }: Status): Record<string, Cell> {
  return {
    api: {
      text: `${enabled ? 'on' : 'off'}${decided_by === 'panel' ? ' (set by the mount option enabled)' : ''}`,
      style: enabled ? 'green' : 'yellow',
    },
    database: `${database.kind} ${database.version}`,
    tables:
      tables.pending.length === 0
        ? 'up to date'
        : { text: `pending migrations: ${tables.pending.join(', ')}`, style: 'yellow' },
    tokens: tokens
      ? `${tokens.active} active, ${tokens.expired} expired, ${tokens.revoked} revoked`
      : 'none yet',
    requests: requests
      ? `${totalText(requests.day)} today, ${totalText(requests.month)} in the last 30 days`
      : 'none yet',
  };
}

function totalText({ requests, errors }: UsageTotal): string {
  return errors === 0 ? String(requests) : `${requests} (${errors} ${errors === 1 ? 'error' : 'errors'})`;
}
