import { rfc3339OfSeconds } from '../../lib/time/time';
import type { CommandParts } from '../CommandParts';
import type { Definition } from '../onPanel';
import { type Cell, formatFacts } from '../table';

export const status: Definition = {
  description: 'show whether the API is on, the database, the tables and the number of tokens',
  tables: false,
  async run(panel, { terminal }) {
    const found = await readStatus(panel);
    return { json: found, text: formatFacts(factsOf(found), terminal.screen) };
  },
};

/** Reads the state of the panel's API without creating tables. */
async function readStatus(panel: CommandParts) {
  const { migrations, options, tokens, usage } = panel;
  const pending = await migrations.pending();
  const complete = pending.length === 0;
  const applied = await migrations.history();
  return {
    enabled: await enabledNow(panel, complete, applied.length > 0),
    decided_by: options.enabled === undefined ? ('switch' as const) : ('panel' as const),
    database: await panel.databaseFacts(),
    tables: {
      prefix: options.tablePrefix,
      applied: applied.map(({ name, appliedAt }) => ({
        name,
        applied_at: rfc3339OfSeconds(appliedAt),
      })),
      pending,
    },
    tokens: complete ? await tokens.countStates() : null,
    requests: complete ? await usage.totals() : null,
  };
}

/** Null if the tables must be upgraded before the switch is read. Without tables, the switch is off. */
async function enabledNow({ options, settings }: CommandParts, complete: boolean, exist: boolean) {
  if (options.enabled !== undefined || complete) return settings.get('enabled');
  return exist ? null : false;
}

type Status = Awaited<ReturnType<typeof readStatus>>;

function factsOf({ enabled, decided_by, database, tables, tokens, requests }: Status): Record<string, Cell> {
  const isOld = tables.pending.length > 0 && tables.applied.length > 0;
  const none = isOld ? 'not read: run panel-api migrate first' : 'none yet';
  const state = enabled === null ? none : enabled ? 'on' : 'off';
  return {
    api: {
      text: `${state}${decided_by === 'panel' ? ' (set by the mount option enabled)' : ''}`,
      style: enabled ? 'green' : 'yellow',
    },
    database: `${database.kind} ${database.version}`,
    tables:
      tables.pending.length === 0
        ? 'up to date'
        : { text: `pending migrations: ${tables.pending.join(', ')}`, style: 'yellow' },
    tokens: tokens ? `${tokens.active} active, ${tokens.expired} expired, ${tokens.revoked} revoked` : none,
    requests: requests
      ? `${totalText(requests.day)} today, ${totalText(requests.month)} in the last 30 days`
      : none,
  };
}

function totalText({ requests, errors }: { readonly requests: number; readonly errors: number }): string {
  return errors === 0 ? String(requests) : `${requests} (${errors} ${errors === 1 ? 'error' : 'errors'})`;
}
