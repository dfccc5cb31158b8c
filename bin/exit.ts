import { CommanderError } from 'commander';
import { DatabaseFailure, UnusableTables } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { UnreadList } from '../lib/lists/ListViewer';

/** All exit codes, one per row. `when` says when the command exits with it, for `--help`. */
export const exitCodes = {
  done: { code: 0, when: 'Done.' },
  missing: { code: 1, when: 'The token does not exist, or a list cannot be served, as check or show found.' },
  usage: { code: 2, when: 'Invalid usage or input; nothing was changed.' },
  database: { code: 3, when: 'The database cannot be reached, or it failed.' },
  setup: {
    code: 4,
    when: 'A required package or table is missing, a later version has upgraded the tables, the configuration file fails, or another user can change code that the command would run.',
  },
  output: {
    code: 5,
    when: 'The output cannot be written. A new token that cannot be shown is revoked; every other change is made.',
  },
  found: { code: 6, when: 'token list --expiring, --silent or --unused found a token.' },
  unexpected: { code: 70, when: 'An unexpected error occurred.' },
} as const;

type Exit = keyof typeof exitCodes;

/** Ends the command with a message for the user. */
export class CommandFailure extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, message: string) {
    super(message);
    this.name = 'CommandFailure';
    this.exit = exit;
  }
}

/**
 * Returns the exit for an error, and a sentence unless it was already printed. Only the module's own messages are used,
 * because others may contain secrets.
 */
export function endingOf(error: unknown): readonly [exit: Exit, sentence?: string] {
  if (error instanceof CommanderError) return [error.exitCode === 0 ? 'done' : 'usage'];
  if (error instanceof CommandFailure) return [error.exit, error.message];
  if (error instanceof InvalidInput) return ['usage', error.message];
  if (error instanceof UnreadList) return ['missing', error.message];
  if (error instanceof UnusableTables) return ['setup', error.message];
  if (error instanceof DatabaseFailure) return ['database', databaseSentence(error.code)];
  return ['unexpected', exitCodes.unexpected.when];
}

function databaseSentence(code: string): string {
  const sentence = `The database cannot be reached, or it failed (${code}).`;
  if (code !== 'COMMIT_UNKNOWN') return sentence;
  return `${sentence} It is unknown whether a token was created: run panel-api token list.`;
}
