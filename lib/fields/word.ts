import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

/** What a status-like field says when the panel's row says nothing. */
const UNKNOWN_WORD = 'unknown';

/** A field of words; `W` are the API's own, at which a mapping aims. */
export type WordField<W extends string = string> = Field<string> & { readonly words: readonly W[] };

/**
 * A status-like field. The panel's own words pass as they are, so the schema shows `words` as examples and not as an
 * enumeration; a mapping may only aim at them or at `unknown`.
 */
export function word<const W extends string>(
  description: string,
  words: readonly W[],
): WordField<W | typeof UNKNOWN_WORD> {
  return { ...openWord(description, words), words: [...words, UNKNOWN_WORD] };
}

/** A status-like field whose words are not a closed set: a mapping may aim at others than these examples. */
export function openWord(description: string, examples: readonly string[] = []): Field<string> {
  const schema = { type: 'string', description, examples: [...examples, UNKNOWN_WORD] };
  // As it is stored, spaces and all: a filter asks the column for the very word that is shown.
  const read = (raw: Raw) => rawText(raw) || null;
  return { ...plainField('word', schema, read, UNKNOWN_WORD), uncovered: UNKNOWN_WORD, filterable: true };
}
