import type { Field, Raw } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

/** What a status-like field says when the panel's row says nothing. */
const UNKNOWN_WORD = 'unknown';

/**
 * A status-like field. `words` are what a mapping should aim for; the panel's own words pass as they are, so the
 * schema shows them as examples and not as an enumeration.
 */
export function word(description: string, words: readonly string[]): Field<string> {
  const schema = { type: 'string', description, examples: [...words, UNKNOWN_WORD] };
  // As it is stored, spaces and all: a filter asks the column for the very word that is shown.
  const read = (raw: Raw) => rawText(raw) || null;
  return { ...plainField('word', schema, read, UNKNOWN_WORD), uncovered: UNKNOWN_WORD, filterable: true };
}
