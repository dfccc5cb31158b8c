import { nextTurn } from '../async/withTimeout';
import type { Database } from '../database/Database';
import type { Run } from '../database/Session';
import { ApiError } from '../errors/ApiError';
import { toJson } from '../json/toJson';
import type { RequestEnd } from '../operations/RequestEnd';
import { MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import {
  type Chunk,
  ColumnsChanged,
  type Key,
  type Row,
  type RowsQuery,
  type Source,
} from '../sources/Source';
import type { ListQuery } from './ListQuery';
import { passes } from './passes';

/** Some of the items that were asked for, as JSON text. */
export interface ItemsPart {
  /** Items with commas between them, and before them if others came before; empty if no row of some passed. */
  readonly text: string;
  /** The last item of a page that has a next one, with its last part; null otherwise. */
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

  /** A page, or a whole list if one statement can read it, unless it is longer than that; null otherwise. */
  async atOnce(longest: number): Promise<readonly ItemsPart[] | null> {
    const { source, query } = this.#parts;
    if (!query.page && source.statements !== 1) return null;
    return twice(() => this.#inPlace((run) => this.#atOnce(longest, run)));
  }

  async #atOnce(longest: number, run: Run): Promise<readonly ItemsPart[] | null> {
    const { page } = this.#parts.query;
    const parts: ItemsPart[] = [];
    let length = 0;
    for await (const { text, next, last } of this.#read(MOST_AT_ONCE, run)) {
      length += text.length;
      // Only what one statement returns is of one moment.
      if (length > longest || !(last || page)) return null;
      // The first rows of a page tell whether it is likely to be longer.
      if (page && parts.length === 0 && length * page.limit > longest * ROWS_PER_TURN) return null;
      parts.push({ text, next });
    }
    return parts;
  }

  /** The items that were asked for, a whole list all of one moment. The caller that stops early calls `return`. */
  async *pieces(): AsyncGenerator<ItemsPart, void, undefined> {
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

  async *#piecesOnce(state: { begun: boolean }): AsyncGenerator<ItemsPart, void, undefined> {
    const { source, query, database, resource } = this.#parts;
    // A page that a client takes slowly holds no connection between its statements.
    const reading =
      source.statements > 0 && !query.page
        ? await database.openReading(`${resource}.begin`)
        : { run: this.#run, close: async () => {} };
    try {
      for await (const part of this.#read(null, reading.run)) {
        state.begun ||= part.text !== '';
        yield part;
      }
    } finally {
      await reading.close();
    }
  }

  /** Reads on until the page is full, or to the end of the list. `limit` says how much is likely to be taken of a list. */
  async *#read(
    limit: number | null,
    run: Run,
  ): AsyncGenerator<ItemsPart & Pick<Chunk, 'last'>, void, undefined> {
    const { page } = this.#parts.query;
    // One more shows whether there is a next page.
    const asked = page ? { after: page.after, limit: page.limit + 1 } : { after: null, limit };
    let left = page?.limit ?? Infinity;
    let end: Key | null = null;
    let begun = false;
    let comma = '';
    for await (const { items, keyOf, last } of this.#chunks(asked, run)) {
      for (let start = 0; start === 0 || start < items.length; start += ROWS_PER_TURN) {
        if (begun) await this.#breathe();
        begun = true;
        const shown: Row[] = [];
        let next: Key | null = null;
        for (let index = start; index < Math.min(items.length, start + ROWS_PER_TURN); index += 1) {
          const item = items[index] as Row;
          if (!this.#passes(item)) continue;
          if (left === 0) {
            next = end;
            break;
          }
          left -= 1;
          if (left === 0) end = keyOf(index);
          shown.push(this.#shown(item));
        }
        const text = shown.length === 0 ? '' : comma + toJson(shown).slice(1, -1);
        if (text !== '') comma = ',';
        yield { text, next, last };
        if (next) return;
      }
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
