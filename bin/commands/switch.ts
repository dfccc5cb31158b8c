import type { Definition } from '../onPanel';

const turning = (on: boolean, description: string): Definition => ({
  description,
  async run({ settings, options }, { terminal }) {
    await (on ? settings.enable(terminal.author) : settings.disable(terminal.author));
    return {
      json: { enabled: on },
      text: `The switch of the API is ${on ? 'on' : 'off'}.`,
      note: options.enabled === undefined ? undefined : PANEL_DECIDES,
    };
  },
});

const PANEL_DECIDES =
  'The mount option enabled overrides this switch: panel-api status shows whether the API is on.';

export const enable = turning(true, 'switch the API on');
export const disable = turning(false, 'switch the API off; every endpoint then answers 503');
