import type { Cancellation } from '../lib/async/Cancellation';
import type { Run } from '../lib/database/Statement';
import type { Installation } from '../lib/Installation';
import { MOST_READ } from '../lib/lists/figures';
import type { FoundList } from '../lib/lists/findList';
import type { RowTally } from '../lib/lists/RowsReader';
import { foldList, readList } from '../lib/lists/readList';
import type { ListOperation } from '../lib/operations/Operation';
import type { EndpointContext } from '../lib/requests/Endpoint';
import { authorizeRead, nullIfHidden, type Readable } from '../lib/requests/passChecks';
import { EVERY_ROW, type Filters, type Ranges, type Row } from '../lib/sources/Source';
import type { Family } from './exposition';

/** What a reading has to read with. */
interface ReadingContext {
  readonly mount: Installation;
  /** The endpoint of the reading, as the token may read it. */
  readonly readable: Readable;
  readonly request: EndpointContext;
  /** Runs statements in the place of the reading. */
  readonly run: Run;
  /** Ends when the reading has taken too long. */
  readonly end: Cancellation;
}

/** Some metrics that are read together. */
export interface Reading {
  /** Its name in the label `list`. */
  readonly name: string;
  /** The endpoint whose scope and account decide who sees it. */
  readonly endpoint: string;
  /** Another list that it reads. A token without its scope does not see the reading. */
  readonly beside?: ListOperation | undefined;
  readonly read: (context: ReadingContext) => Promise<readonly Family[]>;
}

/** A reading of a list. The list beside it is null if the panel does not show it. */
export function listReading(
  name: string,
  read: (list: ListView, beside: ListView | null) => Promise<readonly Family[]>,
  beside?: ListOperation,
): Reading {
  return {
    name,
    // A part of a list is named after it.
    endpoint: name.replace(/\..*/, ''),
    beside,
    async read({ mount, readable, request, end, run }) {
      if (!('list' in readable)) throw new TypeError(`${name} is no list.`);
      const other = beside && (await authorizeRead(request, beside, mount).catch(nullIfHidden));
      const view = other && 'list' in other ? listView(other.endpoint, other.list, end, run) : null;
      return read(listView(readable.endpoint, readable.list, end, run), view);
    },
  };
}

/** Which rows are counted, and by what. */
interface Counted {
  /** The fields by whose values the rows are told apart, as far as the list has them. */
  readonly fields: readonly string[];
  /** The fields of which the latest time is wanted, as far as the list has them. */
  readonly times?: readonly string[];
  readonly filters?: Filters;
  readonly ranges?: Ranges;
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
  const queryOf = ({ fields: asked, times = [], filters, ranges }: Counted) => {
    const rows = { filters: filters ?? EVERY_ROW.filters, ranges: ranges ?? EVERY_ROW.ranges };
    const fields = asked.filter(has);
    const latest = times.filter(has);
    const tested = [...rows.filters.keys(), ...(own ? [own.field] : []), ...rows.ranges.keys()];
    const read = [...fields, ...latest, ...tested];
    const query = { ...EVERY_ROW, ...rows, fields: read, page: null, figures: null };
    return { fields, latest, list: { resource: endpoint.name, source, query, own, end } };
  };
  return {
    endpoint,
    has,
    /** The words that the field can have, as far as they are known. */
    words(field: string): readonly string[] {
      if (!has(field)) return [];
      const words = properties[field]?.enum ?? endpoint.fields[field]?.words ?? [];
      return (words as readonly string[]).filter((word) => typeof word === 'string' && word !== 'unknown');
    },
    /** Counts the rows. Throws TooManyRows if a table has over 10,000 different ones, or a function returns 100,000. */
    async tally(counted: Counted): Promise<readonly RowTally[]> {
      const { list, ...wanted } = queryOf(counted);
      const most = source.statements > 0 ? MOST_OF_TABLE : MOST_READ;
      const counts = await readList(list, run, (all) => all.tally(wanted, most));
      if (!counts) throw new TooManyRows();
      return counts;
    },
    /** Adds up the rows, as `foldList` does. Throws TooManyRows. */
    async fold<T>(counted: Counted, make: () => T, add: (made: T, item: Row) => T): Promise<T> {
      const { list, ...wanted } = queryOf(counted);
      const { made, isAll } = await foldList(list, run, wanted, make, add);
      if (!isAll) throw new TooManyRows();
      return made;
    },
  };
}
