import { createHash } from 'node:crypto';
import type { Key } from '../sources/Source';
import type { ListQuery } from './parseListQuery';

const VERSION = 1;
const SEAL_LENGTH = 16;

/** What a cursor belongs to: it goes on with this very list and no other. */
export type CursorOf = Pick<ListQuery, 'filters' | 'updatedSince' | 'accountId'> & {
  readonly resource: string;
};

/** Text that says where a page ended. */
export function encodeCursor(key: Key, of: CursorOf): string {
  return Buffer.from(JSON.stringify(key) + seal(key, of)).toString('base64url');
}

/** Where the page ended; null for a cursor of another list, other filters or another account, and for any other text. */
export function decodeCursor(cursor: string, of: CursorOf): Key | null {
  if (!/^[\w-]{1,8192}$/.test(cursor)) return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const key = readKey(text.slice(0, -SEAL_LENGTH));
  return key && encodeCursor(key, of) === cursor ? key : null;
}

function readKey(json: string): Key | null {
  try {
    const key: unknown = JSON.parse(json);
    return Array.isArray(key) && key.every((part) => typeof part === 'string') ? key : null;
  } catch {
    return null;
  }
}

// It guards against mistakes. A forged one starts the same list at another row, which every client may do.
function seal(key: Key, { resource, filters, updatedSince, accountId }: CursorOf): string {
  const sorted = [...filters].map(([name, values]) => [name, ...[...values].toSorted()]).toSorted();
  const facts = JSON.stringify([VERSION, resource, key, sorted, updatedSince, accountId]);
  return createHash('sha256').update(facts).digest('base64url').slice(0, SEAL_LENGTH);
}
