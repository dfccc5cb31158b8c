import type { Installation } from '../Installation';
import { between, type Pieces } from '../json/Pieces';
import { toJson } from '../json/toJson';
import type { Body } from '../operations/Body';
import type { RequestEnd } from '../operations/RequestEnd';
import { WholeBody } from '../operations/WholeBody';
import { encodeCursor } from './cursor';
import type { ListQuery } from './ListQuery';
import { ListReader } from './ListReader';

/** Up to so many characters a list is sent at once, with its length and its validator: one MiB, as a rule. */
const MODEST_LENGTH = 2 ** 20;

/** What is asked of a list. */
export interface ListRequest {
  readonly resource: string;
  readonly query: ListQuery;
  /** Settled when the request was counted: what takes more than one statement as a rule begins only then. */
  readonly counted: Promise<void>;
  readonly end: RequestEnd;
}

/**
 * The data of a list as it was asked for: a page, the whole at once, or the whole in pieces. Requests for the very same
 * that arrive together share the read of what is not long.
 */
export async function answerList(
  { resource, query, counted, end }: ListRequest,
  { database, sources, listReads }: Pick<Installation, 'database' | 'sources' | 'listReads'>,
): Promise<Body> {
  const source = sources.get(resource);
  if (!source) throw new Error(`There is no list ${resource}.`);
  const reader = (whose: RequestEnd) => new ListReader({ resource, source, query, database, end: whose });
  const read = (whose: RequestEnd) => readModest(resource, query, reader(whose));
  // What is not one statement may be a function of the panel's, which is called for no request that is refused.
  if (source.statements !== 1) await counted;
  const modest = await listReads.read(keyOf(resource, query), { read, end });
  if (modest) return modest;
  await counted;
  return inPieces(`${headOf(resource)}[`, reader(end).pieces(), ']}');
}

/** All that a list depends on. */
function keyOf(resource: string, { filters, updatedSince, accountId, page, fields }: ListQuery): string {
  const asked = [...filters].map(([name, values]) => [name, ...values]);
  return JSON.stringify([resource, asked, updatedSince, accountId, page, fields]);
}

/** A page, or the whole list unless it is long. */
async function readModest(resource: string, query: ListQuery, reader: ListReader): Promise<WholeBody | null> {
  if (query.page) {
    const { items, next } = await reader.page(query.page);
    const cursor = next && encodeCursor(next, { ...query, resource });
    return new WholeBody([toJson({ resource, items, next_cursor: cursor })], cursor);
  }
  const items = await reader.short(MODEST_LENGTH);
  return items === null ? null : new WholeBody([headOf(resource), items, '}']);
}

/** What stands before the items of a whole list. */
function headOf(resource: string): string {
  return `{"resource":${JSON.stringify(resource)},"items":`;
}

async function inPieces(head: string, pieces: Pieces, tail: string): Promise<Body> {
  let read = '';
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return new WholeBody([head, read, tail]);
    read += value;
    if (read.length > MODEST_LENGTH) return { pieces: between(head + read, pieces, tail) };
  }
}
