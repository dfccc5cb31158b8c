import type { Database } from '../database/Database';
import type { Run } from '../database/Run';
import { ApiError } from '../errors/ApiError';
import { toJson } from '../json/toJson';
import type { RequestEnd } from '../operations/RequestEnd';
import { ColumnsChanged } from '../sources/ColumnsChanged';
import { MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunkRows';
import type { Key, Row, RowsQuery, Source } from '../sources/Source';
import { nextTurn } from '../time/nextTurn';
import type { ListQuery } from './ListQuery';
import { passes } from './passes';

/** A page of a list. */
export interface Page {
  readonly items: readonly Row[];
  /** Where the next page begins; null where this is the last. */
  readonly next: Key | null;
}

/** What a request reads a list with. */
interface ListReaderParts {
  readonly resource: string;
  readonly source: Source;
  readonly query: ListQuery;
  readonly database: Database;
  /** The end of whoever waits for the list. */
  readonly end: RequestEnd;
}

/** Reads what one request asks of one list. Every item goes through `passes`, whatever the source gives. */
export class ListReader {
  readonly #parts: ListReaderParts;
  readonly #passes: (item: Row) => boolean;
  readonly #shown: (item: Row) => Row;

  constructor(parts: ListReaderParts) {
    this.#parts = parts;
    this.#passes = passes(parts.query);
    this.#shown = projection(parts.query.fields);
  }

  /** One page: read on until it is full, where the source gives more than passes. */
  async page(page: NonNullable<ListQuery['page']>): Promise<Page> {
    return twice(() => this.#inPlace((run) => this.#page(page, run)));
  }

  async #page({ limit, after }: NonNullable<ListQuery['page']>, run: Run): Promise<Page> {
    const items: Row[] = [];
    let end: Key | null = null;
    // One more shows whether there is a next page.
    for await (const chunk of this.#chunks({ after, limit: limit + 1 }, run)) {
      for (const [index, item] of chunk.items.entries()) {
        if (!this.#passes(item)) continue;
        if (items.length === limit) return { items, next: end };
        items.push(this.#shown(item));
        end = chunk.keyOf(index);
      }
      await this.#breathe();
    }
    return { items, next: null };
  }

  /** How many items the whole list has. */
  async count(run: Run): Promise<number> {
    return twice(() => this.#count(run));
  }

  async #count(run: Run): Promise<number> {
    let items = 0;
    for await (const chunk of this.#chunks({ after: null, limit: null }, run)) {
      items += chunk.items.filter(this.#passes).length;
      await this.#breathe();
    }
    return items;
  }

  /** The whole list as a JSON array, if one statement can read it and it is no longer; null otherwise. */
  async short(longest: number): Promise<string | null> {
    if (this.#parts.source.statements !== 1) return null;
    return twice(() => this.#inPlace((run) => this.#short(longest, run)));
  }

  async #short(longest: number, run: Run): Promise<string | null> {
    for await (const chunk of this.#chunks({ after: null, limit: MOST_AT_ONCE }, run)) {
      return chunk.last ? this.#array(chunk.items, longest) : null;
    }
    return '[]';
  }

  /** The JSON array of items; null as soon as it is longer than that. */
  async #array(items: readonly Row[], longest: number): Promise<string | null> {
    const parts: string[] = [];
    let length = 0;
    for (let start = 0; start === 0 || start < items.length; start += ROWS_PER_TURN) {
      if (start > 0) await this.#breathe();
      const part = toJson(this.#passing(items.slice(start, start + ROWS_PER_TURN)));
      length += part.length;
      if (length > longest) return null;
      parts.push(part);
    }
    if (parts.length === 1) return parts[0] ?? null;
    return `[${parts
      .filter((part) => part !== '[]')
      .map((part) => part.slice(1, -1))
      .join(',')}]`;
  }

  /** What is to be shown of items. */
  #passing(items: readonly Row[]): readonly Row[] {
    const passing = items.filter(this.#passes);
    return this.#parts.query.fields ? passing.map(this.#shown) : passing;
  }

  /** The whole list as the JSON of its items, commas between them, all of one moment. Whoever stops early calls `return`. */
  async *pieces(): AsyncGenerator<string, void, undefined> {
    const state = { begun: false };
    try {
      yield* this.#piecesOnce(state);
    } catch (error) {
      if (!(error instanceof ColumnsChanged)) throw error;
      // Half of a list cannot be begun anew, but the log shall say whether the list itself has gone.
      if (state.begun) throw (await this.#isServed()) ? error : new ApiError('resource_unavailable');
      yield* this.#piecesOnce(state);
    }
  }

  async #isServed(): Promise<boolean> {
    return (await this.#parts.source.report()).state === 'served';
  }

  async *#piecesOnce(state: { begun: boolean }): AsyncGenerator<string, void, undefined> {
    const { source, database, resource } = this.#parts;
    const reading =
      source.statements > 0
        ? await database.openReading(`${resource}.begin`)
        : { run: this.#run, close: async () => {} };
    try {
      for await (const chunk of this.#chunks({ after: null, limit: null }, reading.run)) {
        const items = this.#passing(chunk.items);
        if (items.length > 0) {
          const comma = state.begun ? ',' : '';
          state.begun = true;
          yield comma + toJson(items).slice(1, -1);
        }
        await this.#breathe();
      }
    } finally {
      await reading.close();
    }
  }

  #chunks(part: Pick<RowsQuery, 'after' | 'limit'>, run: Run) {
    const { source, query, end } = this.#parts;
    const { filters, updatedSince, accountId } = query;
    // A set of none asks for nothing, and no database need be asked for that.
    if ([...filters.values()].some((values) => values.size === 0)) return nothing();
    return source.chunks({ filters, updatedSince, accountId, end, ...part }, run);
  }

  // Others have their turn between two chunks, and a request that is over reads no further.
  async #breathe(): Promise<void> {
    await nextTurn();
    this.#parts.end.throwIfOver();
  }

  // What reads no database needs no place there.
  #inPlace<T>(read: (run: Run) => Promise<T>): Promise<T> {
    const { source, database, resource, end } = this.#parts;
    if (source.statements === 0) return read(this.#run);
    return database.inPlace(`${resource}.place`, async (run) => {
      // Whoever waited for the place may have left.
      end.throwIfOver();
      return read(run);
    });
  }

  readonly #run: Run = (name, statement) => this.#parts.database.query(name, statement);
}

/** What is read from a source whose columns have changed is read once more. */
async function twice<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ColumnsChanged)) throw error;
    return read();
  }
}

async function* nothing(): AsyncGenerator<never, void, undefined> {
  // No rows.
}

function projection(fields: readonly string[] | null): (item: Row) => Row {
  if (!fields) return (item) => item;
  return (item) => Object.fromEntries(fields.map((name) => [name, item[name]]));
}
