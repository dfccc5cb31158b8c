import type { Command } from 'commander';
import type { SettingDescription } from '../../lib/settings/Setting';
import { rfc3339OfSeconds } from '../../lib/time/time';
import { parseSetting } from '../arguments';
import { cliAuthor } from '../author';
import { panelFailed } from '../exit';
import { formatTable, print, printJson } from '../output';
import { noteMissingOptions, withInstallation } from '../withInstallation';

const HEADINGS = ['NAME', 'VALUE', 'SOURCE', 'CHANGED', 'CHANGED BY'];

/** The command itself: without a further word it lists. */
export function settingsList(settings: Command): void {
  settings.action(list);
}

async function list(_options: object, command: Command): Promise<void> {
  await withInstallation(command, {
    tables: true,
    async run({ settings, options }, json) {
      const describing = settings.describe();
      const found = await (typeof options.enabled === 'function'
        ? describing.catch(panelFailed)
        : describing);
      noteMissingOptions(command);
      if (json) printJson(found.map(settingJson));
      else print(formatTable(HEADINGS, found.map(rowOf)));
    },
  });
}

function rowOf({ name, value, source, option, updatedAt, updatedBy }: SettingDescription): readonly string[] {
  return [
    name,
    String(value ?? 'never'),
    source === 'panel' ? `panel (option ${option})` : source,
    rfc3339OfSeconds(updatedAt) ?? '-',
    updatedBy ?? '-',
  ];
}

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

/** What scripts read about a setting; a value of null says "never". */
function settingJson({ name, value, source, option, updatedAt, updatedBy, description }: SettingDescription) {
  return {
    name,
    value,
    source,
    option: option ?? null,
    updated_at: rfc3339OfSeconds(updatedAt),
    updated_by: updatedBy,
    description,
  };
}
