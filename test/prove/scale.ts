/** How much a proof tries: `full` in `npm run prove`, `long` with `--long`, `fast` with `--fast` and in `npm test`. */
type Scale = 'fast' | 'full' | 'long';

const current = (process.env.PROVE_SCALE ?? 'fast') as Scale;

/** The amount for the scale of this run. Without `long`, a long run tries ten times the full number. */
export function scaled({
  fast,
  full,
  long = 10 * full,
}: Readonly<Record<'fast' | 'full', number>> & {
  readonly long?: number;
}): number {
  return { fast, full, long }[current];
}

/** Whether this is more than the slice in `npm test`. */
export const isWhole = current !== 'fast';
