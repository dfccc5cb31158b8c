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
