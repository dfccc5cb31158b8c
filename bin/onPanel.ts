import type { Command } from 'commander';
import { createPanelApi, type PanelApiOptions } from '../index';
import { withTimeout } from '../lib/async/withTimeout';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { installationOf } from '../middleware/PanelApi';
import type { CommandParts } from './CommandParts';
import { type GlobalOptions, mountOptions, withFoundConfig } from './config';
import { CommandFailure } from './exit';
import type { SafeText, Terminal } from './Terminal';
import { closeTimeoutMs, databaseTimeoutMs, migrationTimeoutMs, queryTimeoutMs } from './timeouts';

interface Output {
  /** The output for scripts. */
  readonly json: unknown;
  /** The output for people. Default: the JSON. */
  readonly text?: string | SafeText;
  /** A note for standard error. */
  readonly note?: string | SafeText | undefined;
  /** The exit code after the output was printed. */
  readonly failure?: CommandFailure | undefined;
}

/** A run of a command. */
export interface Run {
  readonly terminal: Terminal;
  readonly global: GlobalOptions;
  /** What the definition's `input` returned. */
  readonly input: string;
}

/** Notes that lists were read without what only the configuration file has. */
export function noteWithoutConfig({ terminal, global }: Run, done: string): void {
  if (global.config !== undefined) return;
  terminal.note(`${done} without the mount options: use --config FILE to include their sources.`);
}

/** A command. `Args` are its arguments, and then its options. */
export interface Definition<Args extends readonly unknown[] = never[]> {
  readonly description: string;
  /** Adds the arguments and options. Default: there are none. */
  readonly define?: (command: Command) => Command;
  /** Refuses what must not even open the database. */
  readonly validate?: (terminal: Terminal, ...args: Args) => void | Promise<void>;
  /** Reads standard input, before the database is opened. */
  readonly input?: (terminal: Terminal) => Promise<string>;
  /** Asks for confirmation, for as long as it takes. Rejects if the answer is no. */
  readonly ask?: (panel: CommandParts, run: Run, ...args: Args) => Promise<void>;
  /** Returns the output, or nothing if it printed the output itself. */
  readonly run: (panel: CommandParts, run: Run, ...args: Args) => Promise<Output | undefined>;
  /** Whether the module's tables are created or upgraded first. Default true. */
  readonly tables?: boolean;
  /** Maximum duration of the task, in milliseconds. Default: the command's timeout for the database. */
  readonly timeoutMs?: number;
}

/**
 * Returns a commander action, which runs the command on the panel that the command line names, and prints its output. It
 * rejects with a DatabaseFailure if the database is too slow.
 */
export function onPanel(
  terminal: Terminal,
  { validate, input: read, ask, run, tables = true, timeoutMs = databaseTimeoutMs }: Definition,
): (...args: readonly unknown[]) => Promise<void> {
  return async (...args) => {
    await validate?.(terminal, ...(args as never[]));
    const input = (await read?.(terminal)) ?? '';
    const options = (args.at(-1) as Command).optsWithGlobals<GlobalOptions>();
    const global = withFoundConfig(options, terminal.io);
    const panel = await openPanel(global, terminal);
    const handles = handlesOf(panel);
    try {
      // A database that does not answer ends the command before the time for the tables is over.
      await withDatabaseTimeout(panel.databaseFacts(), databaseTimeoutMs);
      if (tables) await withDatabaseTimeout(prepareTables(panel), migrationTimeoutMs);
      await ask?.(panel, { terminal, global, input }, ...(args as never[]));
      const running = run(panel, { terminal, global, input }, ...(args as never[]));
      const output = await withDatabaseTimeout(running, timeoutMs);
      if (output) printOutput(output, global, terminal);
    } finally {
      // This waits for the end of a statement that was too slow.
      const closed = Promise.all(handles.map((handle) => handle.destroy()));
      await withDatabaseTimeout(closed, closeTimeoutMs).catch(() => undefined);
    }
  };
}

function printOutput({ json, text, note, failure }: Output, global: GlobalOptions, terminal: Terminal): void {
  if (global.json || text === undefined) terminal.printJson(json);
  else terminal.print(text);
  if (note !== undefined) terminal.note(note);
  if (failure) throw failure;
}

const ignore = () => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore, deprecate: ignore };

/** Creates the API from the mount options. Throws InvalidInput. */
async function openPanel(global: GlobalOptions, { io }: Terminal): Promise<CommandParts> {
  const options = { ...(await mountOptions(global, io)), logger: silent, deadlineMs: queryTimeoutMs };
  try {
    const panel: CommandParts = installationOf(createPanelApi(options as unknown as PanelApiOptions))!;
    // knex prints errors, which contain bound values.
    for (const { client } of handlesOf(panel)) Object.assign(client.logger ?? {}, silent);
    return panel;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new InvalidInput('config', error.message.replace(/^createPanelApi: t/, 'T'));
  }
}

function handlesOf({ options: { db, readDb = db } }: CommandParts) {
  return [...new Set([db, readDb])];
}

/** Upgrades the module's tables. Throws a CommandFailure if they are outdated and the panel runs migrations by hand. */
async function prepareTables({ migrations, options }: CommandParts): Promise<void> {
  if (options.migrate) return migrations.ready();
  if ((await migrations.pending()).length === 0) return;
  throw new CommandFailure('setup', "The module's tables are missing or out of date: run panel-api migrate.");
}

/** Settles like the promise, or rejects with a DatabaseFailure if it takes longer. */
export function withDatabaseTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  return withTimeout(promise, milliseconds, () => new DatabaseFailure('command', 'DEADLINE'));
}
