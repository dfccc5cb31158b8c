import { InvalidInput } from '../errors/InvalidInput';

/**
 * Whether a token could have this id: the column is a 32-bit integer, and PostgreSQL refuses to compare a larger one.
 * Throws InvalidInput for anything but a whole number, so that no text from a URL passes for an unknown id.
 */
export function isTokenId(id: number): boolean {
  if (!Number.isInteger(id)) throw new InvalidInput('id', 'The id of a token must be a whole number.');
  return id > 0 && id < 2 ** 31;
}
