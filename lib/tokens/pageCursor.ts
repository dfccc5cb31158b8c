import { type CursorOf, decodeCursor, encodeCursor } from '../lists/cursor';
import { type Place, SECTIONS } from './tokenOrder';

/** Text that says where a page of this search ended. */
export function encodePlace({ section, time, id }: Place, search: string): string {
  return encodeCursor([section, String(time), String(id)], cursorOf(search));
}

/** Where the page ended; null for the cursor of another search, and for any other text. */
export function decodePlace(cursor: unknown, search: string): Place | null {
  const key = typeof cursor === 'string' ? decodeCursor(cursor, cursorOf(search)) : null;
  const section = SECTIONS.find((name) => name === key?.[0]);
  const [time, id] = [Number(key?.[1]), Number(key?.[2])];
  const sound = Number.isSafeInteger(time) && Number.isInteger(id) && id > 0 && id < 2 ** 31;
  return section !== undefined && sound ? { section, time, id } : null;
}

function cursorOf(search: string): CursorOf {
  return {
    resource: 'tokens',
    filters: new Map([['search', new Set([search])]]),
    updatedSince: null,
    accountId: null,
  };
}
