import { maskedCommand } from './maskedCommand';

/** Whether something of the command is hidden where it is shown; null where there is none. */
export function isCommandMasked(command: unknown, shown = maskedCommand(command)): boolean | null {
  return shown === null ? null : shown !== command;
}
