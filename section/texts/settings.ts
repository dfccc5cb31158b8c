import { declaredSettings } from '../../lib/settings/declaredSettings';
import type { SettingName } from '../../lib/settings/Setting';

const DECLARED = ['title', 'description', 'expects'] as const;

/** What the declaration of a setting says: its label, its meaning, and its values in words that follow "must be". */
type DeclaredTexts = {
  readonly [K in `setting.${SettingName}.${(typeof DECLARED)[number]}`]: string;
};

/** The page of the settings. */
export const settingsTexts = {
  ...(Object.fromEntries(
    Object.values(declaredSettings).flatMap((setting) =>
      DECLARED.map((part) => [`setting.${setting.name}.${part}`, setting[part]]),
    ),
  ) as DeclaredTexts),
  'settings.title': 'Settings',
  'settings.save': 'Save',
  'settings.saved': 'Saved:',
  'settings.saved.one': '{setting}: {value}',
  'settings.saved.on': 'The API is on.',
  'settings.saved.off': 'The API is off: every endpoint answers 503.',
  'settings.off.title': 'Switch the API off?',
  'settings.off.hint': 'Every endpoint then answers 503 to every program, until you switch the API on again.',
  'settings.off.submit': 'Switch it off',
  'settings.off.cancel': 'Keep it on',
  'settings.unchanged': 'Nothing was changed.',
  'settings.wrong': '“{setting}” must be {expects}.',
  'settings.yes': 'yes',
  'settings.no': 'no',
  'settings.never': 'never',
  'settings.source.panel': 'The mount option {option} sets this value.',
  'settings.source.stored': 'Set by {actor} {time}. The default is {default}.',
  'settings.source.unreadable': 'The stored value cannot be read, so the default is used.',
} as const;
