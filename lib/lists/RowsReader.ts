import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Accounts } from '../accounts/TokenAccounts';
import type { Cancellation } from '../async/Cancellation';
import type { Run } from '../database/Statement';
import { ensure } from '../log/InvariantBroken';
import { FIRST_ROWS, MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import { filterTest, isEmpty, narrowed } from '../sources/filters';
import type { Chunk, Group, GroupsQuery, Key, Row, RowsQuery, Source } from '../sources/Source';
import { type Figures, type FiguresQuery, MOST_READ, refuseReading, tallyOf } from './figures';
import type { RowsOfToken } from './findList';
import { type ListQuery, WHOLE_LIST } from './parseListQuery';
import { rangeTests } from './ranges';
import { matchesSearch } from './search';

/** What an answer without rows says besides. */
export interface NoRows {
  /** For each field the words of its filter that neither the declaration nor the mapping nor a row knows, if there are any. */
  readonly unknown_words?: Readonly<Record<string, readonly string[]>>;
}

interface ItemsPart extends Pick<Chunk, 'last'>, NoRows {
  readonly items: readonly Row[];
  /** The key of the page's last item, in its last part, if there is a next page; otherwise null. */
  readonly next: Key | null;
}

/** An item, and the row that it was read from, whose cells the plans of the source's report name. */
export interface TracedRow {
  readonly item: Row;
  readonly raw: Row;
}

export interface ReadParts {
  readonly resource: string;
  readonly source: Source;
  readonly query: ListQuery;
  /** How the token is limited to its accounts; null for a token of all. */
  readonly rowsOfToken: RowsOfToken | null;
  /** Ends when no request waits for the list. */
  readonly end: Cancellation;
}

/**
 * Reads the rows of one query, of a limited token those of `accounts`. Every item is tested by `matchesFilters`, whatever
 * the source returns, except for accounts that the statement finds.
 */
export class RowsReader {
  readonly #parts: ReadParts;
  readonly #accounts: Accounts | null;
  readonly #run: Run;
  readonly #query: ListQuery & Pick<RowsQuery, 'accountIds' | 'owned'>;
  readonly #matches: (item: Row) => boolean;

  constructor(parts: ReadParts, accounts: Accounts | null, run: Run) {
    const { rowsOfToken, query } = parts;
    if (rowsOfToken && !accounts)
      throw new TypeError('The accounts of a token must be known before its rows are read.');
    const { ids = null, owned = null } = accounts ?? {};
    const filters = rowsOfToken && ids ? narrowed(query.filters, rowsOfToken.field, ids) : query.filters;
    this.#parts = parts;
    this.#accounts = accounts;
    this.#run = run;
    this.#query = { ...query, filters, accountIds: ids, owned };
    this.#matches = matchesFilters(this.#query);
  }

  /**
   * Calls `add` with all rows that match: those of a group together if the database tells them apart, or else one by
   * one. Returns false if these are more than `mostRead`.
   */
  async eachGroup(
    { fields, ...wanted }: Pick<GroupsQuery, 'fields' | 'sums' | 'latest'>,
    mostRead: number,
    add: (group: Omit<Group, 'sums'> & Partial<Group>) => void,
  ): Promise<boolean> {
    const query = { ...this.#query, ...wanted, fields: [...testedFields(this.#query), ...fields] };
    const groups = isEmpty(query.filters) ? [] : await this.#parts.source.groups(query, this.#run);
    for (const [index, group] of (groups ?? []).entries()) {
      if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await this.#yieldTurn();
      if (this.#matches(group.item)) add(group);
    }
    if (groups) return true;
    let count = 0;
    const used = [...fields, ...wanted.sums, ...wanted.latest];
    for await (const { items } of this.#chunks({ after: null, limit: null }, used)) {
      count += items.length;
      if (count > mostRead) return false;
      for (const item of items) if (this.#matches(item)) add({ item, rows: 1 });
      await this.#yieldTurn();
    }
    return true;
  }

  /** Returns figures of all rows. Throws ApiError `query_invalid` if more than `mostRead` rows must be read. */
  async figures(wanted: FiguresQuery, mostRead = MOST_READ): Promise<Figures & NoRows> {
    const { countBy, sums } = wanted;
    const figuresOf = tallyOf(wanted);
    const groups = { fields: countBy === null ? [] : [countBy], sums, latest: [] };
    if (!(await this.eachGroup(groups, mostRead, figuresOf.add))) refuseReading(wanted);
    const figures = figuresOf.figures();
    return figures.total > 0 ? figures : { ...figures, ...(await this.#noRows()) };
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

  /** Reads until the page is full or the list ends. About `limit` rows are likely to be used. */
  async *read(limit: number | null): AsyncGenerator<ItemsPart> {
    const { page, fields } = this.#query;
    // One row more shows whether there is a next page.
    const wanted = page ? { after: page.after, limit: page.limit + 1 } : { after: null, limit };
    const most = page?.limit ?? Infinity;
    let sent = 0;
    let last: Key | null = null;
    let begun = false;
    for await (const chunk of this.#chunks(wanted)) {
      const { items } = chunk;
      for (let start = 0; start === 0 || start < items.length; start += ROWS_PER_TURN) {
        if (begun) await this.#yieldTurn();
        begun = true;
        const shown: Row[] = [];
        let next: Key | null = null;
        for (let index = start; index < Math.min(items.length, start + ROWS_PER_TURN); index += 1) {
          const item = items[index] as Row;
          if (!this.#matches(item)) continue;
          if (sent === most) {
            next = last;
            break;
          }
          sent += 1;
          if (sent === most) last = chunk.keyOf(index);
          shown.push(fields ? Object.fromEntries(fields.map((name) => [name, item[name]])) : item);
        }
        ensure(!page || sent <= page.limit, 'page_length');
        yield { items: shown, next, last: chunk.last };
        if (next) return;
      }
    }
    if (sent === 0 && this.#query.unlisted.size > 0)
      yield { items: [], next: null, last: true, ...(await this.#noRows()) };
  }

  /** Returns a page's items, and the key of the last one if there is a next page. */
  async page(): Promise<Omit<ItemsPart, 'last'>> {
    const items: Row[] = [];
    let end: Omit<ItemsPart, 'last' | 'items'> = { next: null };
    for await (const { items: more, last: _, ...rest } of this.read(MOST_AT_ONCE)) {
      items.push(...more);
      end = rest;
    }
    return { items, ...end };
  }

  /** Names the unknown words of a query that no row matches: those that no row has. It takes one read per field. */
  async #noRows(): Promise<NoRows> {
    const { unlisted, filters, ranges, search } = this.#parts.query;
    // With no other condition, no row can have one of the words.
    const isAnswered = filters.size === 1 && ranges.size === 0 && !search;
    const unknown: Record<string, readonly string[]> = {};
    for (const [field, words] of unlisted) {
      const left = new Map(words);
      const query = { ...WHOLE_LIST, filters: new Map([[field, new Set(words.keys())]]), fields: [field] };
      const reader = new RowsReader({ ...this.#parts, query }, this.#accounts, this.#run);
      const found = { fields: [field], sums: [], latest: [] };
      const isRead =
        isAnswered ||
        (await reader.eachGroup(found, MOST_READ, ({ item }) => void left.delete(String(item[field]))));
      if (isRead && left.size > 0) unknown[field] = [...left.values()];
    }
    return Object.keys(unknown).length > 0 ? { unknown_words: unknown } : {};
  }

  #chunks(part: Pick<RowsQuery, 'after' | 'limit'>, names = this.#query.fields) {
    const { source, end } = this.#parts;
    const fields = names && [...names, ...testedFields(this.#query)];
    const query = { ...this.#query, fields, end, ...part };
    return isEmpty(query.filters) ? [] : source.chunks(query, this.#run);
  }

  /** Between two chunks, other requests get their turn, and a request that has ended stops reading. */
  async #yieldTurn(): Promise<void> {
    await nextTurn();
    this.#parts.end.throwIfOver();
  }
}

/**
 * Returns the test whether an item matches the query. A source may return more items, so every item of every list is
 * tested here. This test limits a token to its account.
 */
function matchesFilters({ filters, ranges, search }: ListQuery): (item: Row) => boolean {
  const tests = [filterTest(filters), ...rangeTests(ranges), ...(search ? [matchesSearch(search)] : [])];
  return (item) => tests.every((test) => test(item));
}

function testedFields({ filters, ranges, search }: ListQuery): readonly string[] {
  return [...filters.keys(), ...ranges.keys(), ...(search?.fields ?? [])];
}
