/** A sentence with placeholders such as `{name}`, or one form per plural category of `{count}` (Intl.PluralRules). */
export type Text = string | PluralText;

/** The forms of a sentence that counts something. A form that is left out is `other`. */
export type PluralText = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

const PLACEHOLDER = /\{(\w+)\}/;

/**
 * Returns the parts of a sentence in their order: its words, and the value of each placeholder. `language` is a BCP 47
 * tag, by which the plural form is chosen; default English.
 */
export function fillText<V>(
  text: Text,
  values: Readonly<Record<string, V>> = {},
  language = 'en',
): readonly (string | V | undefined)[] {
  const form = typeof text === 'string' ? text : formOf(text, Number(values.count), language);
  return form.split(PLACEHOLDER).map((part, index) => (index % 2 === 0 ? part : values[part]));
}

function formOf(text: PluralText, count: number, language: string): string {
  return text[new Intl.PluralRules(language).select(count)] ?? text.other;
}

/** The names of the placeholders of all forms of a text. */
export function placeholdersOf(text: Text): ReadonlySet<string> {
  const forms = typeof text === 'string' ? [text] : Object.values(text);
  return new Set(forms.flatMap((form) => form.split(PLACEHOLDER).filter((_, index) => index % 2 === 1)));
}
