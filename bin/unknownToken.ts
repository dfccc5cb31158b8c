import { CommandFailure } from './CommandFailure';

export function unknownToken(id: number): CommandFailure {
  return new CommandFailure('missing', `There is no token ${id}.`);
}
