import { auditTexts } from '../../lib/audit/auditTexts';
import { type Operation, type Tag, tags } from '../../lib/operations/Operation';
import { declaredSettings } from '../../lib/settings/declaredSettings';
import type { SettingName } from '../../lib/settings/Setting';
import type { Text } from '../../lib/text/fillText';
import { operations } from '../../routes';
import { pageTexts } from './pageTexts';
import { tokenTexts } from './tokenTexts';

type Declared = (typeof operations)[number];
const SETTING_PARTS = ['title', 'description', 'expects'] as const;

/** What endpoints, scopes, tags and settings declare. The values of a setting are words that follow "must be". */
const declaredTexts = Object.fromEntries([
  ...operations.map(({ name, title }) => [`endpoint.${name}`, title]),
  ...operations.map(({ scope }) => [`scope.${scope}.name`, namedScope(scope)[0]]),
  ...operations.map(({ scope }) => [`scope.${scope}`, namedScope(scope)[1]]),
  ...Object.keys(tags).map((tag) => [`tag.${tag}`, tag]),
  ...Object.values(declaredSettings).flatMap((setting) =>
    SETTING_PARTS.map((part) => [`setting.${setting.name}.${part}`, setting[part]]),
  ),
]) as {
  readonly [K in
    | `endpoint.${Declared['name']}`
    | `scope.${Declared['scope']}${'' | '.name'}`
    | `tag.${Tag}`
    | `setting.${SettingName}.${(typeof SETTING_PARTS)[number]}`]: string;
};

/** The title and the description of the only endpoint that needs a scope; of several, their group and their titles. */
function namedScope(scope: string): readonly [name: string, description: string] {
  const needing: readonly Operation[] = operations.filter((operation) => operation.scope === scope);
  const [{ title, tag, description }, ...others] = needing as [Operation, ...Operation[]];
  if (others.length === 0) return [title, description];
  return [tag, `${needing.map((one) => one.title).join(', ')}.`];
}

/** Every sentence of the section in English, by its key. */
export const englishTexts = {
  ...auditTexts,
  ...declaredTexts,
  ...pageTexts,
  ...tokenTexts,
} as const satisfies Readonly<Record<string, Text>>;

export type EnglishTexts = typeof englishTexts;
export type TextKey = keyof EnglishTexts;

/** The section's sentences in another language or with other words, by their keys. */
export type SectionTexts = Readonly<Partial<Record<TextKey, Text>>> & {
  /** The language of these texts as a BCP 47 tag, for dates, numbers, plurals and the pages' `lang`. Default `en`. */
  readonly language?: string;
};
