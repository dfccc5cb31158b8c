import { parseExactJson } from '../client/parseExactJson';

/** Like `JSON.parse`, with a bigint for each whole number that a number cannot hold. */
export function parseExact(text: string): unknown {
  // Over a text that is no JSON, the expression of parseExactJson may take long.
  JSON.parse(text);
  return parseExactJson(text);
}

/** Returns a value of JSON with the digits of each bigint as a text, because neither JSON nor the library takes it. */
export function withDigits(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(withDigits);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withDigits(one)]));
}

/** Returns the array or object that a text contains as JSON if it begins like one; everything else as it is. */
export function parsedIf(begin: '[' | '{', value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith(begin)) return value;
  try {
    return withDigits(parseExact(value));
  } catch {
    return value;
  }
}

/** Whether the number that a client wrote may be another one than this, or cannot be written into an answer. */
export function isInexact(value: unknown): boolean {
  return (
    typeof value === 'bigint' || (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER)
  );
}
