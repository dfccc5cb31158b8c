import { parseJson } from '../lib/json/json';

/** Whether a number may be another one than an assistant wrote: programs on its way round it, and 8.10 becomes 8.1. */
export function isRounded(value: unknown): boolean {
  return typeof value === 'number' && !Number.isSafeInteger(value);
}

/** Returns a value as the text that a parameter of an endpoint has; undefined if it has none, or may be rounded. */
export function textOf(value: unknown): string | undefined {
  const hasText = ['string', 'number', 'boolean'].includes(typeof value) && !isRounded(value);
  return hasText && /^[^\0]+$/.test(String(value)) ? String(value) : undefined;
}

/** Returns a value, or an array of them, as texts; undefined if one has none. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const texts = [parsedIf('[', value)].flat().map(textOf);
  return texts.length > 0 && !texts.includes(undefined) ? (texts as string[]) : undefined;
}

/** Returns the array or object that a text contains as JSON if it begins like one; everything else as it is. */
export function parsedIf(begin: '[' | '{', value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(begin)) return value;
  return parseJson(value) ?? value;
}
