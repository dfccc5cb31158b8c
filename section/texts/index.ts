import type { Text } from '../../lib/text/fillText';
import { auditPageTexts } from './audit';
import { declaredTexts } from './declared';
import { editTexts } from './edit';
import { expiryTexts } from './expiry';
import { extendTexts } from './extend';
import { frameTexts } from './frame';
import { mappingTexts } from './mapping';
import { newTokenTexts } from './newToken';
import { overviewTexts } from './overview';
import { referenceTexts } from './reference';
import { revokeTexts } from './revoke';
import { rotateTexts } from './rotate';
import { settingsTexts } from './settings';
import { tokenTexts } from './token';
import { tokenFormTexts } from './tokenForm';
import { tokensTexts } from './tokens';
import { usageTexts } from './usage';

/** Every sentence of the section in English, by its key. */
export const englishTexts = {
  ...frameTexts,
  ...editTexts,
  ...auditPageTexts,
  ...overviewTexts,
  ...declaredTexts,
  ...expiryTexts,
  ...extendTexts,
  ...mappingTexts,
  ...newTokenTexts,
  ...revokeTexts,
  ...rotateTexts,
  ...tokenTexts,
  ...settingsTexts,
  ...referenceTexts,
  ...tokenFormTexts,
  ...tokensTexts,
  ...usageTexts,
} as const satisfies Readonly<Record<string, Text>>;

export type EnglishTexts = typeof englishTexts;
export type TextKey = keyof EnglishTexts;

/** The section's sentences in another language or with other words, by their keys. */
export type SectionTexts = Readonly<Partial<Record<TextKey, Text>>> & {
  /** The language of these texts as a BCP 47 tag, for dates, numbers, plurals and the pages' `lang`. Default `en`. */
  readonly language?: string;
};
