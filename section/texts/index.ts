import { FORGEABLE_ADDRESS } from '../../lib/addresses/requestOrigin';
import { auditTexts, type Text } from '../../lib/audit/auditTexts';
import { type Operation, type Tag, tags } from '../../lib/fields/Operation';
import { declaredSettings } from '../../lib/settings/declaredSettings';
import { operations } from '../../routes';
import type { SettingDescription } from '../SectionParts';
import de from './de.json';
import en from './en.json';

type Declared = (typeof operations)[number];
const SETTING_PARTS = ['title', 'description', 'expects'] as const;

/** What endpoints, scopes, tags and settings declare. The values of a setting are words that follow "must be". */
const declaredTexts = Object.fromEntries([
  ['notice.forgeable_address', FORGEABLE_ADDRESS],
  ...operations.map(({ name, title }) => [`endpoint.${name}`, title]),
  ...operations.map(({ scope }) => [`scope.${scope}`, readWith(scope)]),
  ...Object.keys(tags).map((tag) => [`tag.${tag}`, tag]),
  ...Object.values(declaredSettings).flatMap((setting) =>
    SETTING_PARTS.map((part) => [`setting.${setting.name}.${part}`, setting[part]]),
  ),
]) as {
  readonly [K in
    | 'notice.forgeable_address'
    | `endpoint.${Declared['name']}`
    | `scope.${Declared['scope']}`
    | `tag.${Tag}`
    | `setting.${SettingDescription['name']}.${(typeof SETTING_PARTS)[number]}`]: string;
};

/** The description of the only endpoint that needs a scope; of several, their titles. */
function readWith(scope: string): string {
  const needing: readonly Operation[] = operations.filter((operation) => operation.scope === scope);
  const titles = `${needing.map(({ title }) => title).join(', ')}.`;
  return needing.length > 1 ? titles : (needing[0]?.description ?? '');
}

/** @internal */
export type TextKey = keyof typeof auditTexts | keyof typeof declaredTexts | keyof typeof en;

/**
 * Every sentence of the section in English, by its key. What is not declared beside the code is in the file.
 * @internal
 */
export const englishTexts: Readonly<Record<TextKey, Text>> = { ...auditTexts, ...declaredTexts, ...en };

/** The languages that the module has, by their BCP 47 tags. */
export const ownLanguages: Readonly<Record<string, SectionTexts>> = { en: englishTexts, de };

/** Sentences of the section, by their keys. A text that counts has plural forms. */
export type SectionTexts = Readonly<Record<string, Text>>;
