import type { Field } from './Field';
import { plainField } from './plainField';
import { rawText } from './rawText';

/** A word out of a closed set that the module itself chooses from. */
export function oneOf<const W extends string>(description: string, words: readonly W[]): Field<W> {
  return plainField('word', { type: 'string', enum: words, description }, (raw) => {
    const text = rawText(raw);
    return words.find((word) => word === text) ?? null;
  });
}
