import { type Define, onInstallation } from '../onInstallation';
import type { Terminal } from '../Terminal';

export const enable: Define = (command, terminal) =>
  command.description('switch the API on').action(turning(true, terminal));

export const disable: Define = (command, terminal) =>
  command.description('switch the API off; every endpoint then answers 503').action(turning(false, terminal));

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
