import type { Field } from '../../fields';

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
