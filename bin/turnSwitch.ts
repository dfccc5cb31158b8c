import type { Command } from 'commander';
import { cliAuthor } from './cliAuthor';
import { print, printJson, printNote } from './print';
import { withInstallation } from './withInstallation';

/** Turns the switch in the module's settings. */
export async function turnSwitch(on: boolean, command: Command): Promise<void> {
  await withInstallation(command, {
    tables: true,
    async run({ settings, options }, json) {
      await (on ? settings.enable(cliAuthor()) : settings.disable(cliAuthor()));
      if (json) printJson({ enabled: on });
      else print(`The switch of the API is ${on ? 'on' : 'off'}.`);
      if (options.enabled === undefined) return;
      printNote("The panel's own setting decides, not this switch: panel-api status shows what it says.");
    },
  });
}
