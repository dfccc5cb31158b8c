import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import type { ColumnSource } from '../SourceOptions';
import { spellings } from './sentinels';

/** Reads the panel's words as what `values` and `otherwise` make of them. */
export function wordReader(
  field: Field,
  { values = {}, otherwise }: Pick<ColumnSource, 'values' | 'otherwise'>,
): (raw: unknown) => unknown {
  const made = field.reader();
  const words = new Map(Object.entries(values));
  const uncovered = uncoveredValue(field, { otherwise });
  return (raw) => {
    const text = rawText(raw);
    if (text === null) return null;
    const spelling =
      spellings(text).find((spelt) => words.has(spelt)) ?? (words.has(text) ? text : undefined);
    return spelling === undefined ? uncovered : made(words.get(spelling));
  };
}

/** What a field says if no rule of its mapping covers what a row holds. */
export function uncoveredValue(field: Field, { otherwise }: { readonly otherwise?: unknown }): unknown {
  return otherwise === undefined ? (field.uncovered ?? null) : field.reader()(otherwise);
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
