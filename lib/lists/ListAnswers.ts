import type { Accounts, TokenAccounts } from '../accounts/TokenAccounts';
import { Cancellation, REQUEST_OVER } from '../async/Cancellation';
import { sharedRuns } from '../async/sharedRuns';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { type Body, BufferedBody } from '../json/Body';
import { toJson } from '../json/json';
import { type Row, retryOnSchemaChange } from '../sources/Source';
import { encodeCursor } from './cursor';
import type { Figures } from './figures';
import type { NoRows, ReadParts } from './RowsReader';
import { rangeTexts } from './ranges';
import { type Fold, foldList, readAtOnce, readInSlot, readList, streamList, type TextPart } from './readList';

/** The most characters of a list that is sent as one answer, with its length and validator: usually one MiB. */
const MODEST_LENGTH = 2 ** 20;

/** A read that takes longer must not delay the next one of the same list, in milliseconds. */
const PATIENCE_MS = 25;

export interface ListRequest extends ReadParts {
  readonly tokenId: number;
}

/** Who looks accounts up, and how long. */
type Asking = Pick<ListRequest, 'tokenId' | 'end'>;

export interface ListPage extends Partial<Figures>, NoRows {
  readonly items: readonly Row[];
  /** The cursor of the next page; null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * Reads lists for requests. Simultaneous requests of a token for the same rows and fields share one read, which starts
 * after they have arrived, so that no answer is older than its request.
 */
export class ListAnswers {
  readonly #database: Database;
  readonly #shared = sharedRuns<ListRequest, BufferedBody | null>(
    ([first, ...others]) => this.#inSlot(first, (run) => readOnce(first, others, run)),
    PATIENCE_MS,
  );

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the data of a page, of a whole list or of its figures; null if it is too long. */
  buffered(request: ListRequest): Promise<BufferedBody | null> {
    return this.#shared(keyOf(request), request);
  }

  /** Returns a stream of the data of a list that is, or just was, too long for `buffered`. */
  async streamed(request: ListRequest): Promise<Body> {
    const stream = textsOf(request, streamList(request, this.#database.inSlotsOf(request.tokenId)));
    const { value } = await stream.next();
    return value instanceof BufferedBody ? value : { stream };
  }

  /** Returns a page of a list, or its figures. The query must contain a page or figures. */
  page(request: ListRequest): Promise<ListPage> {
    return this.#inSlot(request, async (run) => {
      request.end.throwIfOver();
      const { figures } = request.query;
      return readList(request, run, async (rows): Promise<ListPage> => {
        if (figures) return { items: [], nextCursor: null, ...(await rows.figures(figures)) };
        const { next, ...found } = await rows.page();
        return { ...found, nextCursor: next && encodeCursor(next, cursorPosition(request)) };
      });
    });
  }

  /** Adds up the rows that match, as `foldList` does. */
  fold<T>(request: ListRequest, ...fold: Fold<T>) {
    return this.#inSlot(request, (run) => foldList<T>(request, run, ...fold));
  }

  /** Looks up the accounts of a token for an answer that has none of their rows. Rejects as `TokenAccounts.requireServed` does. */
  async requireServed(tokenAccounts: TokenAccounts, { tokenId, end }: Asking): Promise<void> {
    await retryOnSchemaChange(() => tokenAccounts.requireServed(this.#database.inSlotsOf(tokenId).run, end));
  }

  /** Looks up the accounts of a token for an answer that others may share. Rejects as their `find` does. */
  find(tokenAccounts: TokenAccounts, { tokenId, end }: Asking): Promise<Accounts> {
    return retryOnSchemaChange(() => tokenAccounts.find(this.#database.inSlotsOf(tokenId).run, end, null));
  }

  #inSlot<T>(request: ListRequest, read: (run: Run) => Promise<T>): Promise<T> {
    return readInSlot(this.#database.inSlotsOf(request.tokenId), request, read);
  }
}

/**
 * Returns a key of everything that the data of a list depends on, and of the token: it must not wait for the slot of
 * another one.
 */
function keyOf({ resource, query, rowsOfToken, tokenId }: ListRequest): string {
  const { filters, ranges, search, order, page, fields, figures } = query;
  const conditions = [...filters].map(([name, values]) => [name, ...values]);
  const rows = [conditions, rangeTexts(ranges), search];
  const accounts = rowsOfToken?.tokenAccounts.key;
  return JSON.stringify([tokenId, resource, rows, accounts, order, page, fields, figures]);
}

/** Reads a page, a whole list or its figures once for several requests; null if it is too long. */
async function readOnce(
  first: ListRequest,
  others: readonly ListRequest[],
  run: Run,
): Promise<BufferedBody | null> {
  const end = endOfAll(first.end, others);
  // The clients may have disconnected while their requests waited for the slot.
  end.throwIfOver();
  const parts = { ...first, end };
  const { resource, query } = first;
  const wanted = query.figures;
  if (wanted) {
    const figures = await readList(parts, run, (rows) => rows.figures(wanted));
    return new BufferedBody(toJson({ resource, items: [], ...figures }));
  }
  const all = await readAtOnce(parts, MODEST_LENGTH, run);
  return all && bufferedBody(first, all);
}

function endOfAll(first: Cancellation, others: readonly ListRequest[]): Cancellation {
  if (others.length === 0) return first;
  const ends = [first, ...others.map(({ end }) => end)];
  const all = new Cancellation();
  let waiting = ends.length;
  for (const end of ends) {
    end.whenOver(() => {
      waiting -= 1;
      if (waiting === 0) all.end(REQUEST_OVER);
    });
  }
  return all;
}

/**
 * Reads a list until it is known to be long: then yields an empty text, so that `return` ends the reading from then on,
 * and all of its texts. Returns a list that is short after all.
 */
async function* textsOf(
  request: ListRequest,
  parts: AsyncIterable<TextPart>,
): AsyncGenerator<string, BufferedBody | undefined, undefined> {
  let read: TextPart = { text: '', next: null };
  let isLong = false;
  for await (const part of parts) {
    read = { ...part, text: read.text + part.text };
    if (!isLong && read.text.length <= MODEST_LENGTH) continue;
    if (!isLong) {
      yield '';
      read = { ...read, text: headOf(request) + read.text };
      isLong = true;
    }
    if (read.text !== '') yield read.text;
    // What was sent is not kept while the rest is read.
    read = { ...read, text: '' };
  }
  if (!isLong) return bufferedBody(request, read);
  yield tailOf(cursorOf(request, read), read);
}

function bufferedBody(request: ListRequest, all: TextPart): BufferedBody {
  const cursor = cursorOf(request, all);
  return new BufferedBody(headOf(request) + all.text + tailOf(cursor, all), cursor);
}

/** The cursor of the next page; null on the last page, undefined for a whole list. */
function cursorOf(request: ListRequest, last: TextPart): string | null | undefined {
  if (!request.query.page) return undefined;
  return last.next ? encodeCursor(last.next, cursorPosition(request)) : null;
}

function cursorPosition({ resource, query, rowsOfToken }: ListRequest) {
  return { ...query, resource, accounts: rowsOfToken?.tokenAccounts.binding ?? null };
}

function headOf({ resource }: ListRequest): string {
  return `{"resource":${JSON.stringify(resource)},"items":[`;
}

function tailOf(cursor: string | null | undefined, { unknown_words }: NoRows): string {
  const members = JSON.stringify({ next_cursor: cursor, unknown_words }).slice(1);
  return members === '}' ? ']}' : `],${members}`;
}
