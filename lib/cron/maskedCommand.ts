import { maskCommand } from './maskCommand';

/** A command as it may be shown; null where there is none. */
export function maskedCommand(command: unknown): string | null {
  return typeof command === 'string' ? maskCommand(command) : null;
}
