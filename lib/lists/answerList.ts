import type { Database } from '../database/Database';
import type { Installation } from '../Installation';
import { reading } from '../json/Pieces';
import type { Body } from '../operations/Body';
import type { RequestEnd } from '../operations/RequestEnd';
import { WholeBody } from '../operations/WholeBody';
import { encodeCursor } from './cursor';
import type { ListQuery } from './ListQuery';
import { type ItemsPart, ListReader } from './ListReader';

/** Up to so many characters a list is sent at once, with its length and its validator: one MiB, as a rule. */
const MODEST_LENGTH = 2 ** 20;

/** What is asked of a list. */
interface ListRequest {
  readonly resource: string;
  readonly query: ListQuery;
  readonly tokenId: number;
  /** Settled when the request was counted: what takes more than one statement as a rule begins only then. */
  readonly counted: Promise<void>;
  readonly end: RequestEnd;
}

/**
 * The data of a list as it was asked for: a page, the whole at once, or the whole in pieces. Requests for the very same
 * that arrive together share the read of what is not long.
 */
export async function answerList(
  { resource, query, tokenId, counted, end }: ListRequest,
  { database, sources, listReads }: Pick<Installation, 'database' | 'sources' | 'listReads'>,
): Promise<Body> {
  const source = sources.get(resource);
  if (!source) throw new Error(`There is no list ${resource}.`);
  const own = database.reading(tokenId);
  const reader = (whose: RequestEnd, placed: Database) =>
    new ListReader({ resource, source, query, database: placed, end: whose });
  const read = (whose: RequestEnd, placed: Database) => readModest(resource, query, reader(whose, placed));
  // A list that is read by no statement needs no place.
  const enter = (task: (placed: Database) => Promise<void>) =>
    source.statements === 0 ? task(own) : own.placed(`${resource}.place`, task);
  // What is not one statement may be a function of the panel's, which is called for no request that is refused.
  if (source.statements !== 1) await counted;
  const modest = await listReads.read(keyOf(resource, query), { tokenId, read, end, enter });
  if (modest) return modest;
  await counted;
  return inPieces(resource, query, reader(end, own).pieces());
}

/** All that a list depends on. */
function keyOf(resource: string, { filters, updatedSince, accountId, page, fields }: ListQuery): string {
  const asked = [...filters].map(([name, values]) => [name, ...values]);
  return JSON.stringify([resource, asked, updatedSince, accountId, page, fields]);
}

/** A page or a whole list, unless it is long. */
async function readModest(resource: string, query: ListQuery, reader: ListReader): Promise<WholeBody | null> {
  const parts = await reader.atOnce(MODEST_LENGTH);
  return parts && wholeBody(resource, query, parts);
}

function wholeBody(resource: string, query: ListQuery, parts: readonly ItemsPart[]): WholeBody {
  const cursor = cursorOf(resource, query, parts.at(-1));
  return new WholeBody([headOf(resource), ...parts.map(({ text }) => text), tailOf(cursor)], cursor);
}

async function inPieces(
  resource: string,
  query: ListQuery,
  parts: AsyncGenerator<ItemsPart, void, undefined>,
): Promise<Body> {
  const read: ItemsPart[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await parts.next();
    if (done) return wholeBody(resource, query, read);
    read.push(value);
    length += value.text.length;
    if (length > MODEST_LENGTH) return { pieces: reading(textOf(resource, query, read, parts), parts) };
  }
}

async function* textOf(
  resource: string,
  query: ListQuery,
  read: ItemsPart[],
  rest: AsyncIterable<ItemsPart>,
): AsyncGenerator<string, void, undefined> {
  let last = read.at(-1);
  // What was read before is not held while the rest is sent.
  const begun = read.splice(0).map(({ text }) => text);
  yield headOf(resource) + begun.splice(0).join('');
  for await (const part of rest) {
    last = part;
    if (part.text !== '') yield part.text;
  }
  yield tailOf(cursorOf(resource, query, last));
}

/** The cursor of the next page; null on the last, undefined for a whole list. */
function cursorOf(
  resource: string,
  query: ListQuery,
  last: ItemsPart | undefined,
): string | null | undefined {
  if (!query.page) return undefined;
  return last?.next ? encodeCursor(last.next, { ...query, resource }) : null;
}

function headOf(resource: string): string {
  return `{"resource":${JSON.stringify(resource)},"items":[`;
}

function tailOf(cursor: string | null | undefined): string {
  return cursor === undefined ? ']}' : `],"next_cursor":${JSON.stringify(cursor)}}`;
}
