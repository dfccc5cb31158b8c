import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cancellation } from '../async/Cancellation';
import type { Run } from '../database/Statement';
import { FIRST_ROWS, ROWS_PER_TURN } from '../sources/chunks';
import type { Chunk, Filters, Key, Row, RowsQuery, Source } from '../sources/Source';
import { type Figures, type FiguresQuery, refuseReading, tallyOf } from './figures';
import type { ListQuery } from './parseListQuery';
import { matchesRanges } from './ranges';
import { matchesSearch } from './search';

interface ItemsPart extends Pick<Chunk, 'last'> {
  readonly items: readonly Row[];
  /** The key of the page's last item, in its last part, if there is a next page; otherwise null. */
  readonly next: Key | null;
}

/** An item, and the row that it was read from, whose cells the readings of the source's report name. */
export interface TracedRow {
  readonly item: Row;
  readonly raw: Row;
}

/** The query for the rows of some accounts. */
type OwnQuery = ListQuery & Pick<RowsQuery, 'accountIds'>;

/** Which rows of a list to read. */
export interface RowsParts {
  readonly resource: string;
  readonly source: Source;
  readonly query: ListQuery;
  /** Ends when no request waits for the list. */
  readonly end: Cancellation;
}

/** The accounts to which a read is limited. */
interface OwnIds {
  /** The field with a row's account. */
  readonly field: string;
  readonly ids: ReadonlySet<string>;
}

/** Reads the rows of one query. Every item is tested by `matchesFilters`, whatever the source returns. */
export class RowsReader {
  readonly #parts: RowsParts & { readonly query: OwnQuery };
  readonly #matches: (item: Row) => boolean;
  readonly #shown: (item: Row) => Row;

  constructor(parts: RowsParts, own: OwnIds | null) {
    const filters = own ? ownFilters(parts.query.filters, own) : parts.query.filters;
    const query = { ...parts.query, filters, accountIds: own?.ids ?? null };
    this.#parts = { ...parts, query };
    this.#matches = matchesFilters(query);
    this.#shown = projection(query.fields);
  }

  /** Returns figures of all rows. Throws ApiError `query_invalid` if more than `mostRead` rows must be read. */
  async figures(wanted: FiguresQuery, run: Run, mostRead: number): Promise<Figures> {
    const { source, query } = this.#parts;
    const { countBy, sums } = wanted;
    const tally = tallyOf(wanted);
    const fields = [...testedFields(query), ...(countBy === null ? [] : [countBy])];
    const groups = isEmpty(query) ? [] : await source.groups({ ...query, fields, sums }, run);
    if (groups) {
      for (const group of groups) if (this.#matches(group.item)) tally.add(group);
      return tally.figures();
    }
    let read = 0;
    for await (const { items } of this.#chunks({ after: null, limit: null }, run)) {
      read += items.length;
      if (read > mostRead) refuseReading(wanted);
      for (const item of items) if (this.#matches(item)) tally.add({ item, rows: 1 });
      await this.#yieldTurn();
    }
    return tally.figures();
  }

  /** Returns some of the first rows that match, each with the row that it was read from; none if no row matches. */
  async trace(run: Run): Promise<readonly TracedRow[]> {
    for await (const { items, raws } of this.#chunks({ after: null, limit: FIRST_ROWS }, run)) {
      const rows = items.map((item, index) => ({ item, raw: raws?.[index] ?? {} }));
      const found = rows.filter(({ item }) => this.#matches(item));
      if (found.length > 0) return found;
      await this.#yieldTurn();
    }
    return [];
  }

  /** Reads until the page is full or the list ends. About `limit` rows are likely to be used. */
  async *read(limit: number | null, run: Run): AsyncGenerator<ItemsPart> {
    const { page } = this.#parts.query;
    // One row more shows whether there is a next page.
    const asked = page ? { after: page.after, limit: page.limit + 1 } : { after: null, limit };
    let left = page?.limit ?? Infinity;
    let end: Key | null = null;
    let begun = false;
    for await (const { items, keyOf, last } of this.#chunks(asked, run)) {
      for (let start = 0; start === 0 || start < items.length; start += ROWS_PER_TURN) {
        if (begun) await this.#yieldTurn();
        begun = true;
        const shown: Row[] = [];
        let next: Key | null = null;
        for (let index = start; index < Math.min(items.length, start + ROWS_PER_TURN); index += 1) {
          const item = items[index] as Row;
          if (!this.#matches(item)) continue;
          if (left === 0) {
            next = end;
            break;
          }
          left -= 1;
          if (left === 0) end = keyOf(index);
          shown.push(this.#shown(item));
        }
        yield { items: shown, next, last };
        if (next) return;
      }
    }
  }

  #chunks(part: Pick<RowsQuery, 'after' | 'limit'>, run: Run) {
    const { source, query, end } = this.#parts;
    return isEmpty(query) ? nothing() : source.chunks({ ...query, end, ...part }, run);
  }

  // Between two chunks, other requests get their turn, and a request that has ended stops reading.
  async #yieldTurn(): Promise<void> {
    await nextTurn();
    this.#parts.end.throwIfOver();
  }
}

/** Returns the filters of a client with one for these accounts alone. */
function ownFilters(filters: Filters, { field, ids }: OwnIds): Filters {
  const asked = filters.get(field);
  return new Map(filters).set(field, asked ? new Set([...asked].filter((id) => ids.has(id))) : ids);
}

/**
 * Returns the test whether an item matches the query. A source may return more items, so every item of every list is
 * tested here. This test limits a token to its accounts.
 */
function matchesFilters({ filters, ranges, search }: ListQuery): (item: Row) => boolean {
  const wanted = [...filters];
  const isWithin = matchesRanges(ranges);
  const isFound = matchesSearch(search);
  if (wanted.length === 0 && ranges.size === 0 && !search) return () => true;
  const has = (item: Row, name: string, values: ReadonlySet<string>) => {
    const value = item[name];
    return value !== null && value !== undefined && values.has(String(value));
  };
  return (item) =>
    isFound(item) && isWithin(item) && wanted.every(([name, values]) => has(item, name, values));
}

/** Returns the fields that `matchesFilters` tests. */
function testedFields({ filters, ranges, search }: ListQuery): readonly string[] {
  return [...filters.keys(), ...ranges.keys(), ...(search?.fields ?? [])];
}

/** Whether a query matches nothing, because a filter has an empty set of values. Then no database is needed. */
function isEmpty({ filters }: ListQuery): boolean {
  return [...filters.values()].some((values) => values.size === 0);
}

async function* nothing(): AsyncGenerator<never, void, undefined> {
  // No rows.
}

function projection(fields: readonly string[] | null): (item: Row) => Row {
  if (!fields) return (item) => item;
  return (item) => Object.fromEntries(fields.map((name) => [name, item[name]]));
}
