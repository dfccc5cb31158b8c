import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../json/json';
import { ensure } from '../log/InvariantBroken';
import type { Key, WantedRows } from '../sources/Source';
import { rangeTexts } from './ranges';

const VERSION = 2;
const SEAL_LENGTH = 16;

interface CursorOf extends WantedRows {
  readonly resource: string;
  /** The accounts of the token; null for all. */
  readonly accounts: string | null;
}

/** Returns the cursor of the rows after a key. */
export function encodeCursor(key: Key, of: CursorOf): string {
  const cursor = written(key, of);
  // Otherwise the next page would begin at another row, and leave rows out or repeat them.
  ensure(isDeepStrictEqual(decodeCursor(cursor, of), key), 'cursor');
  return cursor;
}

function written(key: Key, of: CursorOf): string {
  return Buffer.from(JSON.stringify(key) + seal(key, of)).toString('base64url');
}

/** Decodes the key; null for a cursor of another list, order or account, or of other filters, and for any other text. */
export function decodeCursor(cursor: string, of: CursorOf): Key | null {
  if (!/^[\w-]{1,8192}$/.test(cursor)) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const key = parseJson(text.slice(0, -SEAL_LENGTH));
  const isKey = Array.isArray(key) && key.every((part) => typeof part === 'string');
  return isKey && written(key, of) === cursor ? key : null;
}

// This prevents mistakes, not forgery: a forged cursor only starts the same list at another row, which any client may
// do.
function seal(key: Key, { resource, filters, ranges, search, accounts, order }: CursorOf): string {
  const sorted = [...filters].map(([name, values]) => [name, ...[...values].toSorted()]).toSorted();
  const rows = [sorted, rangeTexts(ranges), search?.text, accounts, order];
  const facts = JSON.stringify([VERSION, resource, key, ...rows]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, SEAL_LENGTH);
}
