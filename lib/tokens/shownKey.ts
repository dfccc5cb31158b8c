import type { Id } from '../fields/id';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** A key that is kept as text, as the API shows keys: an integer, in all its digits, where it is written as one. */
export function shownKey(text: string | null): Id | null {
  if (text === null || !INTEGER.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}
