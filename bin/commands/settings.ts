import { unknownWord } from '../../lib/errors/InvalidInput';
import { declaredSettings, SETTING_KEYS } from '../../lib/settings/declaredSettings';
import { rfc3339OfSeconds } from '../../lib/time/time';
import type { GlobalOptions } from '../config';
import type { Definition } from '../onPanel';
import { timeText } from '../Terminal';
import { formatTable } from '../table';

type SettingKey = (typeof SETTING_KEYS)[number];

export const settingsList: Definition = {
  description: 'show all settings, or change one',
  async run({ settings }, { terminal, global }) {
    const found = await settings.describe();
    // A null value means never.
    const json = found.map(({ name, value, source, option = null, updatedAt, updatedBy, description }) => {
      const changed = { updated_at: rfc3339OfSeconds(updatedAt), updated_by: updatedBy };
      return { name, value, source, option, ...changed, description };
    });
    // A setting does not tell the time by the database's clock.
    const now = Math.floor(Date.now() / 1000);
    const text = formatTable(
      found,
      [
        { heading: 'NAME', cell: ({ name }) => name },
        { heading: 'VALUE', cell: ({ value }) => valueText(value) },
        {
          heading: 'SOURCE',
          cell: ({ source, option }) => (source === 'panel' ? `panel (option ${option})` : source),
          narrow: 'cut',
        },
        { heading: 'CHANGED', cell: ({ updatedAt }, screen) => timeText(updatedAt, now, screen, '-') },
        { heading: 'CHANGED BY', cell: ({ updatedBy }) => updatedBy ?? '-', narrow: 'cut' },
      ],
      terminal.screen,
    );
    return { json, text, note: optionsNote(global) };
  },
};

/** Without the configuration file, the command cannot know which settings mount options override. */
function optionsNote({ config }: GlobalOptions): string | undefined {
  if (config !== undefined) return undefined;
  return 'Mount options override stored settings: use --config FILE to show them.';
}

export const settingsSet: Definition<[key: SettingKey, value: unknown]> = {
  description: 'change a setting; it applies from the next request, in every process',
  define: (command) =>
    command
      .argument('<name>', 'name of the setting', parseName)
      .argument('<value>', 'true or false, a whole number, never, or words of the setting', parseValue),
  async run({ settings }, { terminal, global }, key, value) {
    const isList = Array.isArray(declaredSettings[key].default);
    await settings.change({ [key]: isList ? wordsOf(String(value)) : value }, terminal.author);
    const changed = await settings.get(key);
    const { name } = declaredSettings[key];
    return {
      json: { name, value: changed },
      text: `The setting ${name} is ${valueText(changed)}.`,
      note: optionsNote(global),
    };
  },
};

/** The word for a list without entries. */
const NONE = 'none';

function valueText(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') || NONE : String(value ?? 'never');
}

function wordsOf(text: string): readonly string[] {
  return text === NONE ? [] : text.split(/[\s,]+/).filter(Boolean);
}

function parseName(text: string): SettingKey {
  const key = SETTING_KEYS.find((each) => declaredSettings[each].name === text);
  if (key !== undefined) return key;
  const names = SETTING_KEYS.map((each) => declaredSettings[each].name);
  throw unknownWord('name', 'setting', text, names);
}

/** Parses a typed value. The settings check whether it is allowed. */
function parseValue(text: string): unknown {
  if (/^(?:true|on|yes)$/.test(text)) return true;
  if (/^(?:false|off|no)$/.test(text)) return false;
  if (text === 'never') return null;
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}
