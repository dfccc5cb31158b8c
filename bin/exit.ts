import { CommanderError } from 'commander';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { ForeignTable } from '../lib/database/migrations/tables';
import { InvalidInput } from '../lib/errors/InvalidInput';

interface ExitCode {
  readonly code: number;
  /** When the command exits with this code, for `--help`. */
  readonly when: string;
}

/** All exit codes, one per row. */
export const exitCodes = {
  done: { code: 0, when: 'Done.' },
  missing: { code: 1, when: 'There is no such token, or check found something missing.' },
  usage: { code: 2, when: 'Wrong usage or input; nothing was changed.' },
  database: { code: 3, when: 'The database cannot be reached or failed.' },
  setup: {
    code: 4,
    when: 'A driver or a table that is needed is not in place, the configuration file fails, or another user may change code that would be run.',
  },
  output: {
    code: 5,
    when: 'The output cannot be written. A token that could not be shown is not valid; every other change is done.',
  },
  unexpected: { code: 70, when: 'Something unexpected went wrong.' },
} as const satisfies Readonly<Record<string, ExitCode>>;

type Exit = keyof typeof exitCodes;

/** The codes as `--help` lists them. */
export function exitCodesHelp(): string {
  const lines = Object.values(exitCodes).map(({ code, when }) => `  ${String(code).padEnd(4)}${when}`);
  return ['Exit codes:', ...lines].join('\n');
}

/** Ends the command with a message for the user. */
export class CommandFailure extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, message: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exit = exit;
  }
}

/** Replaces an error of the panel's function `enabled`, which may contain secrets. */
export function panelFailed(): never {
  throw new CommandFailure('setup', "The panel's own setting, the option enabled, could not be read.");
}

interface Ending {
  readonly exit: Exit;
  /** Null if the message was already printed. */
  readonly sentence: string | null;
}

/** Returns the exit for an error. Only the module's own messages are used, because others may contain secrets. */
export function endingOf(error: unknown): Ending {
  if (error instanceof CommanderError)
    return { exit: error.exitCode === 0 ? 'done' : 'usage', sentence: null };
  if (error instanceof CommandFailure) return { exit: error.exit, sentence: error.message };
  if (error instanceof InvalidInput) return { exit: 'usage', sentence: error.message };
  if (error instanceof ForeignTable) return { exit: 'setup', sentence: error.message };
  if (error instanceof DatabaseFailure) return { exit: 'database', sentence: databaseSentence(error.code) };
  return { exit: 'unexpected', sentence: exitCodes.unexpected.when };
}

function databaseSentence(code: string): string {
  const sentence = `The database cannot be reached or failed (${code}).`;
  if (code !== 'COMMIT_UNKNOWN') return sentence;
  return `${sentence} Whether a token was created is unknown: panel-api token list shows it.`;
}
