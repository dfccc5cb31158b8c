import type { Cancellation } from '../lib/async/Cancellation';
import type { Run } from '../lib/database/Statement';
import type { Installation } from '../lib/Installation';
import { MOST_READ } from '../lib/lists/figures';
import type { FoundList } from '../lib/lists/findList';
import type { RowTally } from '../lib/lists/RowsReader';
import { readInPlace, readList } from '../lib/lists/readList';
import type { ListOperation } from '../lib/operations/Operation';
import type { EndpointContext } from '../lib/requests/Endpoint';
import type { Readable } from '../lib/requests/passChecks';
import { EVERY_ROW, type Filters, type Ranges } from '../lib/sources/Source';
import type { Family } from './exposition';

/** What a reading has to read with. */
interface ReadingContext {
  readonly mount: Installation;
  /** The endpoint of the reading, as the token may read it. */
  readonly readable: Readable;
  readonly request: EndpointContext;
  /** Ends when the reading has taken too long. */
  readonly end: Cancellation;
}

/** Some metrics that are read together. */
export interface Reading {
  /** Its name in the label `list`. */
  readonly name: string;
  /** The endpoint whose scope and account decide who sees it. */
  readonly endpoint: string;
  /** Calls `begin` when it no longer waits for its turn. */
  readonly read: (context: ReadingContext, begin: () => void) => Promise<readonly Family[]>;
}

/** A reading of a list, in one slot of the token's. */
export function listReading(name: string, read: (list: ListView) => Promise<readonly Family[]>): Reading {
  return {
    name,
    // A part of a list is named after it.
    endpoint: name.replace(/\..*/, ''),
    async read({ mount, readable, request: { token }, end }, begin) {
      if (!('list' in readable)) throw new TypeError(`${name} is no list.`);
      const { endpoint, list } = readable;
      const place = { resource: endpoint.name, source: list.source };
      return readInPlace(mount.readDatabase.reading(token.id), place, (run) => {
        begin();
        return read(listView(endpoint, list, end, run));
      });
    },
  };
}

/** Which rows are counted, and by what. */
interface Counted {
  /** The fields by whose values the rows are told apart, as far as the list has them. */
  readonly fields: readonly string[];
  /** The field of which the latest time is wanted, if the list has it. */
  readonly time?: string;
  readonly filters?: Filters;
  readonly ranges?: Ranges;
  /** The most rows that are read one by one, if the database cannot count them. Default: 10,000, of a function 100,000. */
  readonly most?: number;
}

/** Too many rows are different, so that the database cannot count them in one statement. */
class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

/** Returns null for TooManyRows. Throws every other error. */
export function unlessTooMany(error: unknown): null {
  if (error instanceof TooManyRows) return null;
  throw error;
}

/** The most rows of a table that are read one by one. */
const MOST_OF_TABLE = 10_000;

/** A list as a token may read it, for the metrics: it is counted, and nearly never read. */
export type ListView = ReturnType<typeof listView>;

function listView(endpoint: ListOperation, { source, report, own }: FoundList, end: Cancellation, run: Run) {
  const { properties } = report.itemSchema;
  /** Whether the list has the field in this panel. */
  const has = (field: string) => field in properties;
  const isCounted = source.statements > 0;
  const mostRead = isCounted ? MOST_OF_TABLE : MOST_READ;
  return {
    endpoint,
    has,
    /** Whether a database can count it. */
    isCounted,
    /** The words that the field can have, as far as they are known. */
    words(field: string): readonly string[] {
      if (!has(field)) return [];
      const words = properties[field]?.enum ?? endpoint.fields[field]?.words ?? [];
      return (words as readonly string[]).filter((word) => typeof word === 'string' && word !== 'unknown');
    },
    /** Counts the rows. Throws TooManyRows. */
    async tally({ fields, time, filters, ranges, most = mostRead }: Counted): Promise<readonly RowTally[]> {
      const rows = { filters: filters ?? EVERY_ROW.filters, ranges: ranges ?? EVERY_ROW.ranges };
      const served = fields.filter(has);
      const latest = time !== undefined && has(time) ? time : null;
      const tested = [...rows.filters.keys(), ...(own ? [own.field] : []), ...rows.ranges.keys()];
      const read = [...served, ...(latest === null ? [] : [latest]), ...tested];
      const query = { ...EVERY_ROW, ...rows, fields: read, page: null, figures: null };
      const list = { resource: endpoint.name, source, query, own, end };
      const counts = await readList(list, run, (all) => all.tally({ fields: served, latest }, most));
      if (!counts) throw new TooManyRows();
      return counts;
    },
  };
}
