import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import { toJson } from '../json/json';
import type { Accounts } from '../owners/Owners';
import { MOST_AT_ONCE, ROWS_PER_TURN } from '../sources/chunks';
import {
  ColumnsChanged,
  isInDatabase,
  type Key,
  type Row,
  requireServed,
  retryOnSchemaChange,
} from '../sources/Source';
import { type Figures, type FiguresQuery, MOST_READ } from './figures';
import type { OwnRows } from './findList';
import { type RowsParts, RowsReader, type Tally, type TracedRow } from './RowsReader';

/** Some of the requested items, as JSON text. */
export interface TextPart {
  /** Items separated by commas, with a leading comma if others precede them; empty if no row matched. */
  readonly text: string;
  /** The key of the page's last item, in its last part, if there is a next page; otherwise null. */
  readonly next: Key | null;
}

/** What to read of a list. */
export interface ListReaderParts extends RowsParts {
  /** How the token is limited to its accounts; null for a token of all. */
  readonly own: OwnRows | null;
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

/** How often rows are read again because the accounts of the token have changed meanwhile. */
const MOST_READS = 3;

/**
 * Reads one list for one query. The rows of a token of accounts are read before its accounts are looked up, never after:
 * then rows of another account that was given the id of one of them are not served. The accounts that one owns may be
 * found by the statement that reads their rows, so that both are of one moment.
 */
export class ListReader {
  readonly #parts: ListReaderParts;

  constructor(parts: ListReaderParts) {
    this.#parts = parts;
  }

  /** Returns figures of the whole list. Throws ApiError `query_invalid` if more than `mostRead` rows must be read. */
  figures(wanted: FiguresQuery, run: Run, mostRead = MOST_READ): Promise<Figures> {
    return this.#ofAccounts(run, (rows) => rows.figures(wanted, run, mostRead));
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
    return this.#ofAccounts(run, (rows) => rows.tally({ fields, latest }, run, mostRead));
  }

  /** Returns a page's items, and the key of the last one if there is a next page. */
  page(run: Run): Promise<{ readonly items: readonly Row[]; readonly next: Key | null }> {
    return this.#ofAccounts(run, async (rows) => {
      const items: Row[] = [];
      let next: Key | null = null;
      for await (const part of rows.read(MOST_AT_ONCE, run)) {
        items.push(...part.items);
        next = part.next;
      }
      return { items, next };
    });
  }

  /** Returns some of the first rows that match, each with the row that it was read from; none if no row matches. */
  trace(run: Run): Promise<readonly TracedRow[]> {
    return this.#ofAccounts(run, (rows) => rows.trace(run));
  }

  /** Returns a page, or a whole list that one statement can read; null if it is longer than `longest` characters. */
  async atOnce(longest: number, run: Run): Promise<readonly TextPart[] | null> {
    const { source, query } = this.#parts;
    // An order by a time takes two statements.
    if (!query.page && (source.statements !== 1 || query.order?.startsWith('-'))) return null;
    return this.#ofAccounts(run, (rows) => this.#atOnce(longest, run, rows));
  }

  async #atOnce(longest: number, run: Run, rows: RowsReader): Promise<readonly TextPart[] | null> {
    const { page } = this.#parts.query;
    const parts: TextPart[] = [];
    let length = 0;
    for await (const { items, next, last } of rows.read(MOST_AT_ONCE, run)) {
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

  /** Reads until the accounts are the same before and after the read. A token of all accounts has none to look up. */
  #ofAccounts<T>(run: Run, read: (rows: RowsReader) => Promise<T>): Promise<T> {
    const { own, end, source } = this.#parts;
    return retryOnSchemaChange(async () => {
      if (!own) return read(this.#rowsOf(null));
      const list = { source, field: own.field };
      let accounts = await own.owners.assume(run, end, list);
      for (let reads = 0; reads < MOST_READS; reads += 1) {
        const result = await read(this.#rowsOf(accounts)).then(
          (value) => () => value,
          (error) => this.#unlessJudged(error),
        );
        const present = await own.owners.look(run, end, list);
        if (present.identity === accounts.identity) return result();
        accounts = present;
      }
      throw new AccountsChanged();
    });
  }

  /** A fault in the row of another account must not be told, so the accounts are looked up before it is thrown. */
  #unlessJudged(error: unknown): () => never {
    if (error instanceof DatabaseFailure || this.#parts.end.reason !== undefined) throw error;
    return () => {
      throw error;
    };
  }

  /** Yields the items, those of a whole list from one snapshot. A caller that stops early must call `return`. */
  async *stream(database: Database): AsyncGenerator<TextPart, void, undefined> {
    const { source, query, resource, own, end } = this.#parts;
    const list = { source, field: own?.field ?? '' };
    let accounts: Accounts | null = null;
    let begun = false;
    for (let reads = 1; ; reads += 1) {
      // While a client reads a page slowly, no connection is held between the statements. A function's rows are of later
      // than a snapshot, and may be another account's by then.
      const reading =
        source.statements > 0 && !query.page && (!own || isInDatabase(source))
          ? await database.openReading(`${resource}.begin`)
          : { run: database.run, isSnapshot: false, close: async () => {} };
      let isJudged = own === null;
      const judge = async () => {
        if (!own || (isJudged && reading.isSnapshot)) return;
        const present = await own.owners.look(reading.run, end, list);
        if (present.identity !== accounts?.identity) {
          accounts = present;
          throw new AccountsChanged();
        }
        isJudged = true;
      };
      let failure: unknown;
      try {
        if (own) accounts ??= await own.owners.assume(reading.run, end, list);
        for await (const { items, next } of this.#rowsOf(accounts).read(null, reading.run)) {
          const text = textOf(items, begun);
          if (text !== '' || !isJudged) await judge();
          begun ||= text !== '';
          yield { text, next };
        }
        if (!isJudged) await judge();
        return;
      } catch (error) {
        failure = error;
        if (!(isJudged || error instanceof DatabaseFailure))
          await judge().catch((refusal) => {
            failure = refusal;
          });
      } finally {
        await reading.close();
      }
      const isChange = failure instanceof ColumnsChanged || failure instanceof AccountsChanged;
      if (!isChange) throw failure;
      // A list that is partly sent cannot start again, but the log must say whether the list itself is gone.
      if (begun) requireServed(await source.report());
      if (begun || reads === MOST_READS) throw failure;
    }
  }

  #rowsOf(accounts: Accounts | null): RowsReader {
    const { own, ...parts } = this.#parts;
    if (!own) return new RowsReader(parts, null);
    if (!accounts) throw new TypeError('The accounts of a token must be known before its rows are read.');
    return new RowsReader(parts, { field: own.field, ...accounts });
  }
}

/** The accounts of a token have changed while a list was read, every time. */
class AccountsChanged extends ApiError {
  constructor() {
    super('unavailable', {}, new Error('The accounts of the token change while a list is read.'));
  }
}

/** The items as JSON text, separated by commas. */
function textOf(items: readonly Row[], follows: boolean): string {
  return items.length === 0 ? '' : (follows ? ',' : '') + toJson(items).slice(1, -1);
}
