import { InvalidInput } from '../lib/errors/InvalidInput';
import { isTokenId } from '../lib/tokens/isTokenId';

/** The id of a token as it was typed. Throws InvalidInput. */
export function parseId(text: string): number {
  const id = Number(text);
  if (/^[1-9]\d*$/.test(text) && isTokenId(id)) return id;
  throw new InvalidInput('id', 'The id of a token is a whole number from 1 to 2147483647.');
}
