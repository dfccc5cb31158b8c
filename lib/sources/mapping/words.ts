import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { recordOf } from '../checks';
import { type AskedWords, type ColumnReading, isWanted, type Mapped, mappedValue } from './description';
import { spellings } from './sentinels';

export interface ValuesKeywords<F extends Field = Field> {
  /** Maps the panel's words, compared as text, to the API's. */
  readonly values?: Readonly<Record<string, Mapped<F> | null>>;
  /** The value for all other words. Default: `unknown` if the field has words, otherwise null. */
  readonly otherwise?: Mapped<F> | null;
}

export const values: ColumnReading<ValuesKeywords> = {
  keywords: (field) => ({ values: recordOf(mappedValue(field)), otherwise: mappedValue(field) }),
  isAsked: ({ values }) => values !== undefined,
  plan({ field }, source) {
    const { values = {}, otherwise } = source;
    const unmapped = unmappedValue(field, source);
    const translated = new Map(Object.entries(values).map(([word, value]) => [word, field.reader()(value)]));
    const read = (raw: unknown) => {
      const text = rawText(raw);
      if (text === null) return null;
      const spelling = spellings(text).find((spelt) => translated.has(spelt)) ?? text;
      return translated.has(spelling) ? translated.get(spelling) : unmapped;
    };
    return {
      read,
      shown: null,
      asked: askedWords(Object.keys(values), read, unmapped),
      named: Object.keys(values),
      namesAll: otherwise === undefined,
      // The column may be NULL.
      words: closedWords(field, [...translated.values(), unmapped, null]),
    };
  },
};

function askedWords(
  named: readonly string[],
  read: (raw: unknown) => unknown,
  unmapped: unknown,
): AskedWords {
  const texts = new Set(named.flatMap((word) => [...spellings(word), word]));
  const translated = [...texts].map((text) => [text, read(text)] as const);
  return (wanted, none) => {
    const negated = isWanted(unmapped, wanted, none);
    const words = translated
      .filter(([, value]) => isWanted(value, wanted, none) !== negated)
      .map(([text]) => text);
    return { words, negated };
  };
}

/** Returns the field's value for words that the mapping does not contain. */
export function unmappedValue(field: Field, { otherwise }: { readonly otherwise?: unknown }): unknown {
  return otherwise === undefined ? (field.unmapped ?? null) : field.reader()(otherwise);
}

/** Returns all words of a field with this mapping; undefined if the field has no words or may have others. */
export function closedWords(
  { schema, filterable, derivation, required, fallback }: Field,
  values: readonly unknown[],
): readonly string[] | undefined {
  if (schema.type !== 'string' || !filterable || derivation) return undefined;
  const shown = values.map((value) => value ?? (required ? fallback : null));
  const words = new Set(shown.filter((value) => typeof value === 'string'));
  return words.size > 0 ? [...words] : undefined;
}
