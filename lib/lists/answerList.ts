import type { Installation } from '../Installation';
import { between, type Pieces } from '../json/Pieces';
import { toJson } from '../json/toJson';
import type { Body } from '../operations/Body';
import { encodeCursor } from './cursor';
import type { ListQuery } from './ListQuery';
import { ListReader } from './ListReader';

/** Up to so many characters a list is sent at once, with its length and its validator: one MiB, as a rule. */
const MODEST_LENGTH = 2 ** 20;

/** What is asked of a list. */
export interface ListRequest {
  readonly resource: string;
  readonly query: ListQuery;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The data of a list as it was asked for: a page, the whole at once, or the whole in pieces. */
export async function answerList(
  { resource, query, signal }: ListRequest,
  { database, sources }: Pick<Installation, 'database' | 'sources'>,
): Promise<Body> {
  const source = sources.get(resource);
  if (!source) throw new Error(`There is no list ${resource}.`);
  const reader = new ListReader({ resource, source, query, database, signal });
  if (query.page) {
    const { items, next } = await reader.page(query.page);
    const cursor = next && encodeCursor(next, { ...query, resource });
    return { json: toJson({ resource, items, next_cursor: cursor }), nextCursor: cursor };
  }
  const [head, tail] = [`{"resource":${JSON.stringify(resource)},"items":[`, ']}'];
  const items = await reader.short(MODEST_LENGTH);
  return items === null ? inPieces(head, reader.pieces(), tail) : { json: head + items + tail };
}

async function inPieces(head: string, pieces: Pieces, tail: string): Promise<Body> {
  let read = '';
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return { json: head + read + tail };
    read += value;
    if (read.length > MODEST_LENGTH) return { pieces: between(head + read, pieces, tail) };
  }
}
