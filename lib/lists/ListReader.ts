import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import type { Run } from '../database/Statement';
import { toJson } from '../json/json';
import { FIRST_ROWS, MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import {
  type Chunk,
  ColumnsChanged,
  type Group,
  type GroupsQuery,
  type Key,
  type Row,
  type RowsQuery,
  requireServed,
  type Source,
} from '../sources/Source';
import { type Figures, type FiguresQuery, MOST_READ, refuseReading, tallyOf } from './figures';
import { isEmpty, matchesFilters, testedFields } from './matches';
import type { ListQuery } from './parseListQuery';

/** Some of the requested items, as JSON text. */
export interface TextPart {
  /** Items separated by commas, with a leading comma if others precede them; empty if no row matched. */
  readonly text: string;
  /** The key of the page's last item, in its last part, if there is a next page; otherwise null. */
  readonly next: Key | null;
}

/** An item, and the row that it was read from, whose cells the readings of the source's report name. */
export interface TracedRow {
  readonly item: Row;
  readonly raw: Row;
}

/** Rows with these values in common, and the latest of their times. */
export interface Tally {
  readonly item: Row;
  readonly rows: number;
  /** Null if none of them has a time. */
  readonly latest: string | null;
}

interface ItemsPart extends Pick<TextPart, 'next'>, Pick<Chunk, 'last'> {
  readonly items: readonly Row[];
}

/** What to read of a list. */
export interface ListReaderParts {
  readonly resource: string;
  readonly source: Source;
  readonly query: ListQuery;
  /** Ends when no request waits for the list. */
  readonly end: Cancellation;
}

/** Reads a list in a slot of the database. A list that is not read from the database needs none. */
export async function readInPlace<T>(
  database: Database,
  { resource, source }: Pick<ListReaderParts, 'resource' | 'source'>,
  read: (run: Run) => Promise<T>,
): Promise<T> {
  if (source.statements === 0) return read(database.run);
  return database.withSlot(`${resource}.slot`, (inSlot) => read(inSlot.run));
}

/** Reads one list for one query. Every item is tested by `matchesFilters`, whatever the source returns. */
export class ListReader {
  readonly #parts: ListReaderParts;
  readonly #matches: (item: Row) => boolean;
  readonly #shown: (item: Row) => Row;

  constructor(parts: ListReaderParts) {
    this.#parts = parts;
    this.#matches = matchesFilters(parts.query);
    this.#shown = projection(parts.query.fields);
  }

  /** Returns figures of the whole list. Throws ApiError `query_invalid` if more than `mostRead` rows must be read. */
  figures(wanted: FiguresQuery, run: Run, mostRead = MOST_READ): Promise<Figures> {
    return retryOnSchemaChange(() => this.#figures(wanted, mostRead, run));
  }

  async #figures(wanted: FiguresQuery, mostRead: number, run: Run): Promise<Figures> {
    const { countBy, sums } = wanted;
    const tally = tallyOf(wanted);
    const groups = { fields: countBy === null ? [] : [countBy], sums, latest: null };
    if (!(await this.#eachGroup(groups, mostRead, run, tally.add))) refuseReading(wanted);
    return tally.figures();
  }

  /**
   * Counts the rows by the values of these fields, with the latest time of another field; null if more than `mostRead`
   * rows must be read.
   */
  tally(
    fields: readonly string[],
    latest: string | null,
    mostRead: number,
    run: Run,
  ): Promise<readonly Tally[] | null> {
    const time = latest ?? '';
    return retryOnSchemaChange(async () => {
      const found = new Map<string, Tally>();
      const add = ({ item, rows }: Pick<Group, 'item' | 'rows'>) => {
        const key = JSON.stringify(fields.map((name) => String(item[name])));
        const known = found.get(key) ?? { item, rows: 0, latest: null };
        // Times in the API's one form sort as texts.
        const isLater = String(item[time] ?? '') > (known.latest ?? '');
        const last = isLater ? String(item[time]) : known.latest;
        found.set(key, { ...known, rows: known.rows + rows, latest: last });
      };
      const isWhole = await this.#eachGroup({ fields, sums: [], latest }, mostRead, run, add);
      return isWhole ? [...found.values()] : null;
    });
  }

  /**
   * Calls `add` with all rows that match: those of a group together if the database tells them apart, or else one by
   * one. Returns false if these are more than `mostRead`.
   */
  async #eachGroup(
    { fields, ...wanted }: Pick<GroupsQuery, 'fields' | 'sums' | 'latest'>,
    mostRead: number,
    run: Run,
    add: (group: Omit<Group, 'sums'> & Partial<Group>) => void,
  ): Promise<boolean> {
    const { source, query } = this.#parts;
    const all = [...testedFields(query), ...fields];
    const groups = isEmpty(query) ? [] : await source.groups({ ...query, ...wanted, fields: all }, run);
    for (const group of groups ?? []) if (this.#matches(group.item)) add(group);
    if (groups) return true;
    let read = 0;
    for await (const { items } of this.#chunks({ after: null, limit: null }, run)) {
      read += items.length;
      if (read > mostRead) return false;
      for (const item of items) if (this.#matches(item)) add({ item, rows: 1 });
      await this.#yieldTurn();
    }
    return true;
  }

  /** Returns a page's items, and the key of the last one if there is a next page. */
  page(run: Run): Promise<{ readonly items: readonly Row[]; readonly next: Key | null }> {
    return retryOnSchemaChange(async () => {
      const items: Row[] = [];
      let next: Key | null = null;
      for await (const part of this.#read(MOST_AT_ONCE, run)) {
        items.push(...part.items);
        next = part.next;
      }
      return { items, next };
    });
  }

  /** Returns some of the first rows that match, each with the row that it was read from; none if no row matches. */
  trace(run: Run): Promise<readonly TracedRow[]> {
    return retryOnSchemaChange(async () => {
      for await (const { items, raws } of this.#chunks({ after: null, limit: FIRST_ROWS }, run)) {
        const rows = items.map((item, index) => ({ item, raw: raws?.[index] ?? {} }));
        const found = rows.filter(({ item }) => this.#matches(item));
        if (found.length > 0) return found;
        await this.#yieldTurn();
      }
      return [];
    });
  }

  /** Returns a page, or a whole list that one statement can read; null if it is longer than `longest` characters. */
  async atOnce(longest: number, run: Run): Promise<readonly TextPart[] | null> {
    const { source, query } = this.#parts;
    // An order by a time takes two statements.
    if (!query.page && (source.statements !== 1 || query.order?.startsWith('-'))) return null;
    return retryOnSchemaChange(() => this.#atOnce(longest, run));
  }

  async #atOnce(longest: number, run: Run): Promise<readonly TextPart[] | null> {
    const { page } = this.#parts.query;
    const parts: TextPart[] = [];
    let length = 0;
    for await (const { items, next, last } of this.#read(MOST_AT_ONCE, run)) {
      const text = textOf(items, length > 0);
      length += text.length;
      // Only the rows of a single statement are consistent.
      if (length > longest || !(last || page)) return null;
      // The first rows show whether the page is likely to be too long.
      if (page && parts.length === 0 && length * page.limit > longest * ROWS_PER_TURN) return null;
      parts.push({ text, next });
    }
    return parts;
  }

  /** Yields the items, those of a whole list from one snapshot. A caller that stops early must call `return`. */
  async *stream(database: Database): AsyncGenerator<TextPart, void, undefined> {
    const { source, query, resource } = this.#parts;
    let begun = false;
    for (const isLast of [false, true]) {
      // While a client reads a page slowly, no connection is held between the statements.
      const reading =
        source.statements > 0 && !query.page
          ? await database.openReading(`${resource}.begin`)
          : { run: database.run, close: async () => {} };
      let failure: unknown;
      try {
        for await (const { items, next } of this.#read(null, reading.run)) {
          const text = textOf(items, begun);
          begun ||= text !== '';
          yield { text, next };
        }
        return;
      } catch (error) {
        failure = error;
      } finally {
        await reading.close();
      }
      if (!(failure instanceof ColumnsChanged)) throw failure;
      // A list that is partly sent cannot start again, but the log must say whether the list itself is gone.
      if (begun) requireServed(await source.report());
      if (begun || isLast) throw failure;
    }
  }

  /** Reads until the page is full or the list ends. About `limit` rows are likely to be used. */
  async *#read(limit: number | null, run: Run): AsyncGenerator<ItemsPart> {
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

/** Reads once more if the source's columns have changed in the meantime. */
export async function retryOnSchemaChange<T>(read: () => Promise<T>): Promise<T> {
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

/** The items as JSON text, separated by commas. */
function textOf(items: readonly Row[], follows: boolean): string {
  return items.length === 0 ? '' : (follows ? ',' : '') + toJson(items).slice(1, -1);
}

function projection(fields: readonly string[] | null): (item: Row) => Row {
  if (!fields) return (item) => item;
  return (item) => Object.fromEntries(fields.map((name) => [name, item[name]]));
}
