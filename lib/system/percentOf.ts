/**
 * The share of `part` in `whole`, 0 to 100 with one decimal; null where there is nothing to share.
 */
export function percentOf(part: number, whole: number): number | null {
  if (!(whole > 0) || !Number.isFinite(part)) return null;
  return Math.round(Math.min(Math.max(part / whole, 0), 1) * 1000) / 10;
}
