import { CommandFailure } from './CommandFailure';
import { isDiscarded } from './isDiscarded';

/** Refuses to make a token that nobody would see. Throws a CommandFailure. */
export function refuseDiscarded(): void {
  if (isDiscarded()) {
    throw new CommandFailure('output', 'Standard output goes nowhere: nobody would see the token.');
  }
}
