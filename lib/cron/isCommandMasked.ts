import { maskedCommand } from './maskedCommand';

/** Whether something of the command is hidden where it is shown; null where there is none. */
export function isCommandMasked(command: unknown): boolean | null {
  const shown = maskedCommand(command);
  return shown === null ? null : shown !== command;
}
