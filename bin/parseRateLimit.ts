import { InvalidInput } from '../lib/errors/InvalidInput';

/** A number of requests as it was typed. Throws InvalidInput. */
export function parseRateLimit(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidInput('rateLimit', 'The rate limit is a whole number of requests, at least 1.');
}
