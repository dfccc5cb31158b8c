const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * JSON that is safe on a terminal and means the same: what `JSON.stringify` leaves as it is, DEL, C1 controls and
 * bidirectional marks among it, comes as `\uXXXX`.
 */
export function jsonText(value: unknown): string {
  // Within strings line feeds are escaped already: those that are left stand between the lines.
  return JSON.stringify(value, null, 2).replace(UNPRINTABLE, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
