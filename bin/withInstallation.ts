import type { Command } from 'commander';
import { withTimeout } from '../lib/async/withTimeout';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { createInstallation, type Installation } from '../lib/Installation';
import type { Logger } from '../lib/log/PanelLog';
import type { MountOptions } from '../lib/options/MountOptions';
import { operations } from '../routes';
import type { GlobalOptions } from './arguments';
import { mountOptions } from './config';
import { migrationPatienceMs, patienceMs, queryPatienceMs, silenceKnex } from './connect';
import { CommandFailure } from './exit';
import { printNote } from './output';

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

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The installation that the command works on, as the panel's mount would have it. Throws InvalidInput. */
async function openInstallation(global: GlobalOptions): Promise<Installation> {
  const options = {
    ...(await mountOptions(global)),
    logger: silent,
    deadlineMs: queryPatienceMs,
  } as unknown as MountOptions;
  const installation = assembled(options);
  silenceKnex(installation.database.knex);
  return installation;
}

function assembled(options: MountOptions): Installation {
  try {
    return createInstallation(options, operations);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidInput('config', error.message.replace(/^createPanelApi: t/, 'T'));
  }
}

/** Brings the module's tables, unless the panel wants that done by hand. Throws a CommandFailure then. */
async function prepareTables({ migrations, options }: Installation): Promise<void> {
  if (options.migrate) return migrations.ready();
  if ((await migrations.pending()).length === 0) return;
  throw new CommandFailure('setup', "The module's tables are missing or out of date: run panel-api migrate.");
}

/** The promise's outcome, or a DatabaseFailure when the database keeps it waiting for longer. */
export function inTime<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return withTimeout(promise, milliseconds, () => new DatabaseFailure('command', 'DEADLINE'));
}

/** Tells that only the configuration file could say which settings the panel's own options fix. */
export function noteMissingOptions(command: Command): void {
  if (command.optsWithGlobals<GlobalOptions>().config !== undefined) return;
  printNote('What the options of the mount set counts before this: --config FILE names them.');
}
