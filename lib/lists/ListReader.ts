import type { Database } from '../database/Database';
import type { Run } from '../database/Run';
import { toJson } from '../json/toJson';
import { MOST_AT_ONCE } from '../sources/chunkRows';
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
  /** Aborted when nobody waits for the list any more. */
  readonly signal: AbortSignal;
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
  async page({ limit, after }: NonNullable<ListQuery['page']>): Promise<Page> {
    const items: Row[] = [];
    let end: Key | null = null;
    // One more shows whether there is a next page.
    for await (const chunk of this.#chunks({ after, limit: limit + 1 }, this.#run)) {
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

  /** The whole list if one statement can read it and it is short; null otherwise. */
  async short(): Promise<readonly Row[] | null> {
    if (this.#parts.source.statements !== 1) return null;
    for await (const chunk of this.#chunks({ after: null, limit: MOST_AT_ONCE }, this.#run)) {
      return chunk.last ? chunk.items.filter(this.#passes).map(this.#shown) : null;
    }
    return [];
  }

  /** The whole list as the JSON of its items, commas between them, all of one moment. Whoever stops early calls `return`. */
  async *pieces(): AsyncGenerator<string, void, undefined> {
    const { source, database, resource } = this.#parts;
    const reading =
      source.statements > 0
        ? await database.openReading(`${resource}.begin`)
        : { run: this.#run, close: async () => {} };
    let comma = '';
    try {
      for await (const chunk of this.#chunks({ after: null, limit: null }, reading.run)) {
        const items = chunk.items.filter(this.#passes).map(this.#shown);
        if (items.length > 0) {
          yield comma + toJson(items).slice(1, -1);
          comma = ',';
        }
        await this.#breathe();
      }
    } finally {
      await reading.close();
    }
  }

  #chunks(part: Pick<RowsQuery, 'after' | 'limit'>, run: Run) {
    const { source, query, signal } = this.#parts;
    const { filters, updatedSince, accountId } = query;
    // A set of none asks for nothing, and no database need be asked for that.
    if ([...filters.values()].some((values) => values.size === 0)) return nothing();
    return source.chunks({ filters, updatedSince, accountId, signal, ...part }, run);
  }

  // Others have their turn between two chunks, and a request that is over reads no further.
  async #breathe(): Promise<void> {
    await nextTurn();
    this.#parts.signal.throwIfAborted();
  }

  readonly #run: Run = (name, statement) => this.#parts.database.query(name, statement);
}

async function* nothing(): AsyncGenerator<never, void, undefined> {
  // No rows.
}

function projection(fields: readonly string[] | null): (item: Row) => Row {
  if (!fields) return (item) => item;
  return (item) => Object.fromEntries(fields.map((name) => [name, item[name]]));
}
