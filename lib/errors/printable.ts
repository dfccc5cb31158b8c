/**
 * Characters that can forge a line of an output or turn its text around: control characters, separators of lines, and
 * bidirectional overrides and isolates. The marks and joiners of some languages are not among them.
 */
export const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text that is safe in a log line and on a terminal: control, format (bidirectional marks among them) and line
 * separator characters are written as `\u{…}`, and at most `limit` characters are kept.
 * `JSON.stringify` alone leaves DEL, C1 controls and U+202E unchanged.
 */
export function printable(text: string, limit = 256): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return cut
    .toWellFormed()
    .replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/**
 * A value as clients write it where several are separated by commas: in double quotes, with its own doubled, if it has a
 * comma or begins with a quote.
 */
export function writtenValue(value: string): string {
  return /^"|,/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
