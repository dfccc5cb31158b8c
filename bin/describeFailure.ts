import { CommanderError } from 'commander';
import { DatabaseFailure } from '../lib/database/DatabaseFailure';
import { InvalidInput } from '../lib/errors/InvalidInput';
import { ForeignTable } from '../lib/migrations/ForeignTable';
import { CommandFailure } from './CommandFailure';
import { type Exit, exitCodes } from './exitCodes';

interface Failure {
  readonly exit: Exit;
  /** Null when the person was told already. */
  readonly sentence: string | null;
}

/** How the command ends after an error, and what it says: only sentences of the module's own. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError)
    return { exit: error.exitCode === 0 ? 'done' : 'usage', sentence: null };
  if (error instanceof CommandFailure) return { exit: error.exit, sentence: error.message };
  if (error instanceof InvalidInput) return { exit: 'usage', sentence: error.message };
  if (error instanceof ForeignTable) return { exit: 'setup', sentence: error.message };
  if (error instanceof DatabaseFailure) {
    const unknown = 'Whether a token was created is unknown: panel-api token list shows it.';
    const sentence = `The database cannot be reached or failed (${error.code}).`;
    return {
      exit: 'database',
      sentence: error.code === 'COMMIT_UNKNOWN' ? `${sentence} ${unknown}` : sentence,
    };
  }
  return { exit: 'unexpected', sentence: exitCodes.unexpected.when };
}
