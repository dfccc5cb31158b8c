import type { Command } from 'commander';
import type { Knex } from 'knex';
import { withTimeout } from '../lib/async/withTimeout';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { createInstallation, type Installation } from '../lib/Installation';
import type { Logger } from '../lib/log/PanelLog';
import type { MountOptions } from '../lib/options/MountOptions';
import { operations } from '../routes';
import { type GlobalOptions, mountOptions } from './config';
import { CommandFailure } from './exit';
import { print, printJson, printNote } from './output';
import { closeTimeoutMs, databaseTimeoutMs, migrationTimeoutMs, queryTimeoutMs } from './timeouts';

interface Output {
  /** For scripts. */
  readonly json: unknown;
  /** For people. Default: the JSON. */
  readonly text?: string;
  /** A sentence for standard error. */
  readonly note?: string | undefined;
  /** Ends the command after the output was printed. */
  readonly failure?: CommandFailure | undefined;
}

/** The work of a command. A task that prints by itself returns undefined. */
type Task = (installation: Installation, global: GlobalOptions) => Promise<Output | undefined>;

interface RunOptions {
  /** Whether the module's tables are created or brought up to date first. Default true. */
  readonly tables?: boolean;
  /** How long the task may take, in milliseconds. Default: as long as the command waits for the database. */
  readonly timeoutMs?: number;
}

/**
 * Runs a task on the installation that the command line names, and prints its output. Rejects with a DatabaseFailure if
 * the database does not answer in time.
 */
export async function withInstallation(
  command: Command,
  task: Task,
  { tables = true, timeoutMs = databaseTimeoutMs }: RunOptions = {},
): Promise<void> {
  const global = command.optsWithGlobals<GlobalOptions>();
  const installation = await openInstallation(global);
  const { database } = installation;
  await withDatabaseTimeout(database.rows('contact', 'SELECT 1 AS one'), databaseTimeoutMs);
  if (tables) await withDatabaseTimeout(prepareTables(installation), migrationTimeoutMs);
  const output = await withDatabaseTimeout(task(installation, global), timeoutMs);
  if (output) printOutput(output, global);
  await withDatabaseTimeout(database.knex.destroy(), closeTimeoutMs).catch(() => undefined);
}

function printOutput({ json, text, note, failure }: Output, global: GlobalOptions): void {
  if (global.json || text === undefined) printJson(json);
  else print(text);
  if (note !== undefined) printNote(note);
  if (failure) throw failure;
}

/** Creates the installation from the options of a mount. Throws InvalidInput. */
async function openInstallation(global: GlobalOptions): Promise<Installation> {
  const options = {
    ...(await mountOptions(global)),
    logger: silent,
    deadlineMs: queryTimeoutMs,
  } as unknown as MountOptions;
  try {
    const installation = createInstallation(options, operations);
    silenceKnex(installation.database.knex);
    return installation;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidInput('config', error.message.replace(/^createPanelApi: t/, 'T'));
  }
}

const ignore = () => undefined;

const silent: Logger = { info: ignore, warn: ignore, error: ignore };

/** Keeps knex from printing errors, which hold bound values. */
function silenceKnex(db: Knex): void {
  Object.assign(db.client.logger ?? {}, { debug: ignore, warn: ignore, error: ignore, deprecate: ignore });
}

/** Brings the module's tables up to date. Throws a CommandFailure if the panel migrates by hand and has not. */
async function prepareTables({ migrations, options }: Installation): Promise<void> {
  if (options.migrate) return migrations.ready();
  if ((await migrations.pending()).length === 0) return;
  throw new CommandFailure('setup', "The module's tables are missing or out of date: run panel-api migrate.");
}

/** Resolves as the promise does, or rejects with a DatabaseFailure if the database takes longer. */
export function withDatabaseTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return withTimeout(promise, milliseconds, () => new DatabaseFailure('command', 'DEADLINE'));
}
