/** How much a proof tries: `full` in `npm run prove`, `long` with `--long`, `fast` with `--fast` and in `npm test`. */
type Scale = 'fast' | 'full' | 'long';

const SCALES: readonly Scale[] = ['fast', 'full', 'long'];

const current = readScale(process.env.PROVE_SCALE ?? 'fast');

function readScale(given: string): Scale {
  const known = SCALES.find((scale) => scale === given);
  if (!known) throw new Error(`PROVE_SCALE must be one of ${SCALES.join(', ')}.`);
  return known;
}

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
