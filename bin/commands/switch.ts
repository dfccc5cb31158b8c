import type { Command } from 'commander';
import { onInstallation } from '../onInstallation';
import type { Terminal } from '../Terminal';

export function enable(program: Command, terminal: Terminal): void {
  program.command('enable').description('switch the API on').action(turning(true, terminal));
}

export function disable(program: Command, terminal: Terminal): void {
  program
    .command('disable')
    .description('switch the API off; every endpoint then answers 503')
    .action(turning(false, terminal));
}

function turning(on: boolean, terminal: Terminal) {
  return onInstallation(terminal, () => async ({ settings, options }) => {
    await (on ? settings.enable(terminal.author) : settings.disable(terminal.author));
    return {
      json: { enabled: on },
      text: `The switch of the API is ${on ? 'on' : 'off'}.`,
      note: options.enabled === undefined ? undefined : PANEL_DECIDES,
    };
  });
}

const PANEL_DECIDES =
  'The mount option enabled overrides this switch: panel-api status shows whether the API is on.';
