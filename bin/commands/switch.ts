import type { Command } from 'commander';
import { cliAuthor } from '../author';
import { withInstallation } from '../withInstallation';

export function enable(program: Command): void {
  program
    .command('enable')
    .description('switch the API on')
    .action((_options: object, command: Command) => turnSwitch(true, command));
}

export function disable(program: Command): void {
  program
    .command('disable')
    .description('switch the API off; every endpoint then answers 503')
    .action((_options: object, command: Command) => turnSwitch(false, command));
}

async function turnSwitch(on: boolean, command: Command): Promise<void> {
  await withInstallation(command, async ({ settings, options }) => {
    await (on ? settings.enable(cliAuthor()) : settings.disable(cliAuthor()));
    return {
      json: { enabled: on },
      text: `The switch of the API is ${on ? 'on' : 'off'}.`,
      note: options.enabled === undefined ? undefined : PANEL_DECIDES,
    };
  });
}

const PANEL_DECIDES =
  'The mount option enabled overrides this switch: panel-api status shows whether the API is on.';
