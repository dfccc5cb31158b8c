import type { Command } from 'commander';
import type { SettingDescription } from '../../lib/settings/SettingDescription';
import { rfc3339OfSeconds } from '../../lib/time/rfc3339';
import { formatTable } from '../formatTable';
import { noteMissingOptions } from '../noteMissingOptions';
import { panelFailed } from '../panelFailed';
import { print, printJson } from '../print';
import { settingJson } from '../settingJson';
import { withInstallation } from '../withInstallation';

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
