import type { Command } from 'commander';
import { cliAuthor } from '../cliAuthor';
import { noteMissingOptions } from '../noteMissingOptions';
import { parseSetting } from '../parseSetting';
import { print, printJson } from '../print';
import { withInstallation } from '../withInstallation';

export function settingsSet(settings: Command): void {
  settings
    .command('set')
    .description('change a setting, for the next request in every process')
    .argument('<name>')
    .argument('<value>', 'true or false, a whole number, or never')
    .action(set);
}

async function set(name: string, text: string, _options: object, command: Command): Promise<void> {
  const { key, value } = parseSetting(name, text);
  await withInstallation(command, {
    tables: true,
    async run({ settings }, json) {
      await settings.change({ [key]: value }, cliAuthor());
      const changed = await settings.get(key);
      noteMissingOptions(command);
      if (json) printJson({ name, value: changed });
      else print(`The setting ${name} is ${changed ?? 'never'}.`);
    },
  });
}
