import { InvalidInput } from '../lib/errors/InvalidInput';
import { parseDuration } from './parseDuration';

/** The seconds of a grace time as it was typed: a duration, or 0. Throws InvalidInput. */
export function parseGrace(text: string): number {
  const seconds = text === '0' ? 0 : parseDuration(text);
  if (seconds !== null) return seconds;
  throw new InvalidInput('graceSeconds', 'The grace must be 0 or a duration such as 30m, 12h, 7d or 2w.');
}
