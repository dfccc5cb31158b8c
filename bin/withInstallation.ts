import type { Command } from 'commander';
import type { Installation } from '../lib/Installation';
import type { GlobalOptions } from './GlobalOptions';
import { inTime } from './inTime';
import { openInstallation } from './openInstallation';
import { migrationPatienceMs, patienceMs } from './patience';
import { prepareTables } from './prepareTables';

const FAREWELL_MS = 300;

interface Task {
  /** Whether the module's tables are brought first. */
  readonly tables: boolean;
  readonly patience?: number;
  readonly run: (installation: Installation, json: boolean) => Promise<void>;
}

/** Runs a task on the installation that the command line names; a database that does not answer ends it in time. */
export async function withInstallation(command: Command, task: Task): Promise<void> {
  const global = command.optsWithGlobals<GlobalOptions>();
  const installation = await openInstallation(global);
  const { database } = installation;
  await inTime(database.rows('contact', 'SELECT 1 AS one'), patienceMs);
  if (task.tables) await inTime(prepareTables(installation), migrationPatienceMs);
  await inTime(task.run(installation, global.json === true), task.patience ?? patienceMs);
  // The process ends anyway; a server that is told so notes no aborted connection.
  await inTime(database.knex.destroy(), FAREWELL_MS).catch(() => undefined);
}
