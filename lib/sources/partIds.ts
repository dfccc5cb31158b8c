import { type Integer, readInteger } from '../fields/raw';

/** How many parts a list may have: the last digit of an id says which. */
export const MOST_PARTS = 10;

/** The id of a row of one part of a list: unique in the list, and a whole number if it was one. */
export function idInList(id: Integer | string, part: number): Integer | string {
  if (typeof id === 'string') return `${part}:${id}`;
  const tens = BigInt(id) * BigInt(MOST_PARTS);
  return readInteger(id < 0 ? tens - BigInt(part) : tens + BigInt(part)) ?? '';
}

/** What an id of the list may be in the panel's own column of this part; none where it is of another part. */
export function idsInPart(id: string, part: number): readonly string[] {
  if (id.startsWith(`${part}:`)) return [id.slice(`${part}:`.length)];
  if (!/^(?:0|-?[1-9]\d*)$/.test(id) || !id.endsWith(String(part))) return [];
  return [(BigInt(id) / BigInt(MOST_PARTS)).toString()];
}
