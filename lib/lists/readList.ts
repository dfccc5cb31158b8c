import type { Accounts } from '../accounts/TokenAccounts';
import type { Cancellation } from '../async/Cancellation';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import { toJson } from '../json/json';
import { MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import {
  ColumnsChanged,
  type GroupsQuery,
  isInDatabase,
  type Key,
  type Row,
  requireServed,
  retryOnSchemaChange,
} from '../sources/Source';
import { MOST_READ } from './figures';
import { type NoRows, type ReadParts, RowsReader } from './RowsReader';

/** Some of the requested items, as JSON text. */
export interface TextPart extends NoRows {
  /** Items separated by commas, with a leading comma if others precede them; empty if no row matched. */
  readonly text: string;
  /** The key of the page's last item, in its last part, if there is a next page; otherwise null. */
  readonly next: Key | null;
}

/** Reads a list in a slot of the database. A list that is not read from the database needs none. */
export async function readInSlot<T>(
  database: Database,
  { resource, source }: Pick<ReadParts, 'resource' | 'source'>,
  read: (run: Run) => Promise<T>,
): Promise<T> {
  if (source.statements === 0) return read(database.run);
  return database.withSlot(`${resource}.slot`, (inSlot) => read(inSlot.run));
}

/** How often rows are read at most, if the accounts of the token change meanwhile. */
const MOST_READS = 3;

/**
 * Calls `read` until the accounts are the same before and after it; a token of all accounts has none to look up. The
 * accounts are looked up after each read of rows: so rows of another account that was given the id of one of them are not
 * served. The accounts that one owns may be found by the statement that reads their rows, so that both are of one moment.
 */
export function readList<T>(parts: ReadParts, run: Run, read: (rows: RowsReader) => Promise<T>): Promise<T> {
  const { rowsOfToken, end, source } = parts;
  return retryOnSchemaChange(async () => {
    if (!rowsOfToken) return read(new RowsReader(parts, null, run));
    const list = { source, field: rowsOfToken.field };
    let accounts = await rowsOfToken.tokenAccounts.findBeforeRead(run, end, list);
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const [result] = await Promise.allSettled([read(new RowsReader(parts, accounts, run))]);
      if (result.status === 'rejected' && !isOfRows(result.reason, end)) throw result.reason;
      const present = await rowsOfToken.tokenAccounts.find(run, end, list);
      if (present.identity === accounts.identity) {
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      }
      accounts = present;
    }
    throw new AccountsChanged();
  });
}

/**
 * Whether an error may tell of a row. If the row is another account's, the error must not be told, so the accounts are
 * looked up before it is thrown.
 */
function isOfRows(error: unknown, end: Cancellation): boolean {
  return !(error instanceof DatabaseFailure || error instanceof AccountsChanged) && end.reason === undefined;
}

/** Which fields are used, of which times only the latest, and how the items are added up. */
export type Fold<T> = readonly [
  wanted: Pick<GroupsQuery, 'fields'> & Partial<Pick<GroupsQuery, 'latest'>>,
  make: () => T,
  add: (made: T, item: Row, rows: number) => T,
];

/**
 * Adds up the rows that match, or one item of all that have the wanted fields in common. It begins again if the accounts
 * of the token have changed meanwhile. `isAll` is false if the list is longer than the database counts and a request reads.
 */
export function foldList<T>(parts: ReadParts, run: Run, ...[wanted, make, add]: Fold<T>) {
  const { fields, latest = [] } = wanted;
  return readList(parts, run, async (reader) => {
    let made = make();
    const isAll = await reader.eachGroup({ fields, latest, sums: [] }, MOST_READ, ({ item, rows }) => {
      made = add(made, item, rows);
    });
    return { made, isAll };
  });
}

/** Returns a page, or a whole list that one statement can read; null if it is longer than `longest` characters. */
export async function readAtOnce(parts: ReadParts, longest: number, run: Run): Promise<TextPart | null> {
  const { source, query } = parts;
  const { page, order } = query;
  // An order by a time takes two statements.
  if (!page && (source.statements !== 1 || order?.startsWith('-'))) return null;
  return readList(parts, run, async (rows) => {
    let read: TextPart | undefined;
    for await (const { items, last, ...end } of rows.read(MOST_AT_ONCE)) {
      const { text: before = '' } = read ?? {};
      const text = before + textOf(items, before !== '');
      // Only the rows of a single statement are consistent.
      if (text.length > longest || !(last || page)) return null;
      // The first rows show whether the page is likely to be too long.
      if (page && !read && !last && text.length * page.limit > longest * ROWS_PER_TURN) return null;
      read = { text, ...end };
    }
    return read ?? { text: '', next: null };
  });
}

/** Yields the items, those of a whole list from one snapshot. A caller that stops early must call `return`. */
export async function* streamList(
  parts: ReadParts,
  database: Database,
): AsyncGenerator<TextPart, void, undefined> {
  const { source, query, resource, rowsOfToken, end } = parts;
  const list = { source, field: rowsOfToken?.field ?? '' };
  let accounts: Accounts | null = null;
  let begun = false;
  for (let reads = 1; ; reads += 1) {
    // While a client reads a page slowly, no connection is held between the statements. A function's rows are of later
    // than a snapshot, and may be another account's by then.
    const snapshot =
      source.statements > 0 && !query.page && (!rowsOfToken || isInDatabase(source))
        ? await database.openSnapshot(`${resource}.begin`)
        : { run: database.run, isSnapshot: false, close: async () => {} };
    let isJudged = false;
    const judge = async () => {
      if (!rowsOfToken || (isJudged && snapshot.isSnapshot)) return;
      isJudged = true;
      const present = await rowsOfToken.tokenAccounts.find(snapshot.run, end, list);
      if (present.identity === accounts?.identity) return;
      accounts = present;
      throw new AccountsChanged();
    };
    let failure: unknown;
    try {
      if (rowsOfToken) accounts ??= await rowsOfToken.tokenAccounts.findBeforeRead(snapshot.run, end, list);
      for await (const { items, last: _, ...end } of new RowsReader(parts, accounts, snapshot.run).read(
        null,
      )) {
        const text = textOf(items, begun);
        // A refused token must not have a list without rows of its own read to the end.
        if (text !== '' || end.unknown_words || !isJudged) await judge();
        begun ||= text !== '';
        yield { text, ...end };
      }
      if (!isJudged) await judge();
      return;
    } catch (error) {
      failure = error;
      if (isOfRows(error, end))
        await judge().catch((refusal) => {
          failure = refusal;
        });
    } finally {
      await snapshot.close();
    }
    const isChange = failure instanceof ColumnsChanged || failure instanceof AccountsChanged;
    if (!isChange) throw failure;
    // A list that is partly sent cannot start again, but the log must say whether the list itself is gone.
    if (begun) requireServed(await source.report());
    if (begun || reads === MOST_READS) throw failure;
  }
}

/** The accounts of a token have changed while a list was read. */
class AccountsChanged extends ApiError {
  constructor() {
    super('unavailable', {}, new Error('The accounts of the token change while a list is read.'));
  }
}

/** The items as JSON text, separated by commas. */
function textOf(items: readonly Row[], follows: boolean): string {
  return items.length === 0 ? '' : (follows ? ',' : '') + toJson(items).slice(1, -1);
}
