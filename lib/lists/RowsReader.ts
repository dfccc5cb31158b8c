import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Cancellation } from '../async/Cancellation';
import type { Run } from '../database/Statement';
import type { OwnAccounts } from '../owners/Owners';
import { FIRST_ROWS, MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import type { Chunk, Filters, Group, GroupsQuery, Key, Row, RowsQuery, Source } from '../sources/Source';
import { type Figures, type FiguresQuery, MOST_READ, refuseReading, tallyOf } from './figures';
import { isEmpty, matchesFilters, testedFields } from './matches';
import type { ListQuery } from './parseListQuery';

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

/** Rows with these values in common, and the latest of their times. */
export interface Tally {
  readonly item: Row;
  readonly rows: number;
  /** Null if none of them has a time. */
  readonly latest: string | null;
}

/** Which rows of a list to read. */
export interface RowsParts {
  readonly resource: string;
  readonly source: Source;
  readonly query: ListQuery;
  /** Ends when no request waits for the list. */
  readonly end: Cancellation;
}

/** The accounts to which a read is limited, and the field with a row's account. */
type AccountsIn = OwnAccounts & { readonly field: string };

/**
 * Reads the rows of one query. Every item is tested by `matchesFilters`, whatever the source returns, except for accounts
 * that the statement finds.
 */
export class RowsReader {
  readonly #parts: RowsParts & { readonly query: Pick<RowsQuery, 'accountIds' | 'owned'> };
  readonly #run: Run;
  readonly #matches: (item: Row) => boolean;
  readonly #shown: (item: Row) => Row;

  constructor(parts: RowsParts, own: AccountsIn | null, run: Run) {
    const { ids = null, owned = null } = own ?? {};
    const filters = own && ids ? ownFilters(parts.query.filters, own.field, ids) : parts.query.filters;
    const query = { ...parts.query, filters, accountIds: ids, owned };
    this.#parts = { ...parts, query };
    this.#run = run;
    this.#matches = matchesFilters(query);
    this.#shown = projection(query.fields);
  }

  /** Returns figures of all rows. Throws ApiError `query_invalid` if more than `mostRead` rows must be read. */
  async figures(wanted: FiguresQuery, mostRead = MOST_READ): Promise<Figures> {
    const { countBy, sums } = wanted;
    const tally = tallyOf(wanted);
    const groups = { fields: countBy === null ? [] : [countBy], sums, latest: null };
    if (!(await this.#eachGroup(groups, mostRead, tally.add))) refuseReading(wanted);
    return tally.figures();
  }

  /**
   * Counts the rows by the values of these fields, with the latest time of another field; null if more than `mostRead`
   * rows must be read.
   */
  async tally(
    { fields, latest }: Pick<GroupsQuery, 'fields' | 'latest'>,
    mostRead: number,
  ): Promise<readonly Tally[] | null> {
    const time = latest ?? '';
    const found = new Map<string, Tally>();
    const add = ({ item, rows }: Pick<Group, 'item' | 'rows'>) => {
      const key = JSON.stringify(fields.map((name) => String(item[name])));
      const known = found.get(key) ?? { item, rows: 0, latest: null };
      // Times in the API's one form sort as texts.
      const isLater = String(item[time] ?? '') > (known.latest ?? '');
      const last = isLater ? String(item[time]) : known.latest;
      found.set(key, { ...known, rows: known.rows + rows, latest: last });
    };
    const isWhole = await this.#eachGroup({ fields, sums: [], latest }, mostRead, add);
    return isWhole ? [...found.values()] : null;
  }

  /**
   * Calls `add` with all rows that match: those of a group together if the database tells them apart, or else one by
   * one. Returns false if these are more than `mostRead`.
   */
  async #eachGroup(
    { fields, ...wanted }: Pick<GroupsQuery, 'fields' | 'sums' | 'latest'>,
    mostRead: number,
    add: (group: Omit<Group, 'sums'> & Partial<Group>) => void,
  ): Promise<boolean> {
    const { source, query } = this.#parts;
    const all = [...testedFields(query), ...fields];
    const groups = isEmpty(query) ? [] : await source.groups({ ...query, ...wanted, fields: all }, this.#run);
    for (const group of groups ?? []) if (this.#matches(group.item)) add(group);
    if (groups) return true;
    let read = 0;
    for await (const { items } of this.#chunks({ after: null, limit: null })) {
      read += items.length;
      if (read > mostRead) return false;
      for (const item of items) if (this.#matches(item)) add({ item, rows: 1 });
      await this.#yieldTurn();
    }
    return true;
  }

  /** Returns some of the first rows that match, each with the row that it was read from; none if no row matches. */
  async trace(): Promise<readonly TracedRow[]> {
    for await (const { items, raws } of this.#chunks({ after: null, limit: FIRST_ROWS })) {
      const rows = items.map((item, index) => ({ item, raw: raws?.[index] ?? {} }));
      const found = rows.filter(({ item }) => this.#matches(item));
      if (found.length > 0) return found;
      await this.#yieldTurn();
    }
    return [];
  }

  /** Returns a page's items, and the key of the last one if there is a next page. */
  async page(): Promise<Pick<ItemsPart, 'items' | 'next'>> {
    const items: Row[] = [];
    let next: Key | null = null;
    for await (const part of this.read(MOST_AT_ONCE)) {
      items.push(...part.items);
      next = part.next;
    }
    return { items, next };
  }

  /** Reads until the page is full or the list ends. About `limit` rows are likely to be used. */
  async *read(limit: number | null): AsyncGenerator<ItemsPart> {
    const { page } = this.#parts.query;
    // One row more shows whether there is a next page.
    const asked = page ? { after: page.after, limit: page.limit + 1 } : { after: null, limit };
    let left = page?.limit ?? Infinity;
    let end: Key | null = null;
    let begun = false;
    for await (const { items, keyOf, last } of this.#chunks(asked)) {
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

  #chunks(part: Pick<RowsQuery, 'after' | 'limit'>) {
    const { source, query, end } = this.#parts;
    return isEmpty(query) ? nothing() : source.chunks({ ...query, end, ...part }, this.#run);
  }

  // Between two chunks, other requests get their turn, and a request that has ended stops reading.
  async #yieldTurn(): Promise<void> {
    await nextTurn();
    this.#parts.end.throwIfOver();
  }
}

/** Returns the filters of a client with one for these accounts alone. */
function ownFilters(filters: Filters, field: string, ids: ReadonlySet<string>): Filters {
  const asked = filters.get(field);
  return new Map(filters).set(field, asked ? new Set([...asked].filter((id) => ids.has(id))) : ids);
}

async function* nothing(): AsyncGenerator<never, void, undefined> {
  // No rows.
}

function projection(fields: readonly string[] | null): (item: Row) => Row {
  if (!fields) return (item) => item;
  return (item) => Object.fromEntries(fields.map((name) => [name, item[name]]));
}
