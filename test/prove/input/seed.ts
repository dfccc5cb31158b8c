import { figure } from '../figure';
import { isWhole } from '../scale';

/**
 * The seed of all generated input of this run. A whole run tries other input each time, and prints its seed.
 * `PROVE_SEED` repeats that run; fast-check prints the seed of a failure, too.
 */
export const seed = Number(process.env.PROVE_SEED ?? (isWhole ? Math.floor(Math.random() * 2 ** 31) : 1));

/** Puts the seed on the page of figures. */
export function printSeed(): void {
  figure('seed', String(seed));
}
