import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { recordOf } from '../checks';
import { type AskedWords, type ColumnReading, isWanted, type Mapped, mappedValue } from './description';
import { spellings } from './sentinels';

export interface ValuesKeywords<F extends Field = Field> {
  /** Translates the panel's words, compared as text, into the API's. */
  readonly values?: Readonly<Record<string, Mapped<F> | null>>;
  /** What `values` says of all other words; without it, `unknown` in a field of words and null in any other. */
  readonly otherwise?: Mapped<F> | null;
}

export const values: ColumnReading<ValuesKeywords> = {
  keywords: (field) => ({ values: recordOf(mappedValue(field)), otherwise: mappedValue(field) }),
  isAsked: ({ values }) => values !== undefined,
  plan({ field }, source) {
    const { values = {}, otherwise } = source;
    const unmapped = unmappedValue(field, source);
    const said = new Map(Object.entries(values).map(([word, value]) => [word, field.reader()(value)]));
    const read = (raw: unknown) => {
      const text = rawText(raw);
      if (text === null) return null;
      const spelling = spellings(text).find((spelt) => said.has(spelt)) ?? text;
      return said.has(spelling) ? said.get(spelling) : unmapped;
    };
    return {
      read,
      shown: null,
      asked: askedWords(Object.keys(values), read, unmapped),
      named: Object.keys(values),
      namesAll: otherwise === undefined,
      // A column may be NULL.
      words: closedWords(field, [...said.values(), unmapped, null]),
    };
  },
};

function askedWords(
  named: readonly string[],
  read: (raw: unknown) => unknown,
  unmapped: unknown,
): AskedWords {
  const texts = new Set(named.flatMap((word) => [...spellings(word), word]));
  const said = [...texts].map((text) => [text, read(text)] as const);
  return (wanted, none) => {
    const negated = isWanted(unmapped, wanted, none);
    const words = said.filter(([, value]) => isWanted(value, wanted, none) !== negated).map(([text]) => text);
    return { words, negated };
  };
}

/** What a field says if no rule of its mapping covers what a row holds. */
export function unmappedValue(field: Field, { otherwise }: { readonly otherwise?: unknown }): unknown {
  return otherwise === undefined ? (field.unmapped ?? null) : field.reader()(otherwise);
}

/**
 * The words of a field that is read through a mapping, which says nothing but `said`: the API's own values, null for
 * none. Undefined if the field holds no words, or others than these.
 */
export function closedWords(
  { schema, filterable, derivation, required, fallback }: Field,
  said: readonly unknown[],
): readonly string[] | undefined {
  if (schema.type !== 'string' || !filterable || derivation) return undefined;
  const shown = said.map((value) => value ?? (required ? fallback : null));
  const words = new Set(shown.filter((value) => typeof value === 'string'));
  return words.size > 0 ? [...words] : undefined;
}
