import type { Command } from 'commander';
import { turnSwitch } from '../turnSwitch';

export function enable(program: Command): void {
  program
    .command('enable')
    .description('switch the API on')
    .action((_options: object, command: Command) => turnSwitch(true, command));
}
