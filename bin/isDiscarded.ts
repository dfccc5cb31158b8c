import { fstatSync, statSync } from 'node:fs';

/** Whether standard output goes nowhere: to /dev/null, which Node.js also puts in the place of a closed one. */
export function isDiscarded(): boolean {
  return fstatSync(1).rdev === statSync('/dev/null').rdev;
}
