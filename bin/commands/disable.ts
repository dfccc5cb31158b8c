import type { Command } from 'commander';
import { turnSwitch } from '../turnSwitch';

export function disable(program: Command): void {
  program
    .command('disable')
    .description('switch the API off: every endpoint answers 503')
    .action((_options: object, command: Command) => turnSwitch(false, command));
}
