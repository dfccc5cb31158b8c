import type { Cancellation } from '../lib/async/Cancellation';
import type { Run } from '../lib/database/Statement';
import type { ListOperation } from '../lib/fields/Operation';
import type { Installation } from '../lib/Installation';
import type { FoundList } from '../lib/lists/findList';
import { type Fold, foldList } from '../lib/lists/readList';
import { authorizeRead, nullIfHidden, type Readable } from '../lib/requests/checkRead';
import type { EndpointContext } from '../lib/requests/Endpoint';
import { EVERY_ROW, type GroupsQuery, type Row } from '../lib/sources/Source';
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

/** Which rows are read, and which fields of them, as far as the list has these. */
type Counted = Pick<GroupsQuery, 'fields'> & Partial<Pick<GroupsQuery, 'latest' | 'filters' | 'ranges'>>;

/** Too many rows must be read one by one. */
class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

/** Returns null for TooManyRows. Throws every other error. */
export function unlessTooMany(error: unknown): null {
  if (error instanceof TooManyRows) return null;
  throw error;
}

/** A list as a token may read it, for the metrics: it is counted, and nearly never read. */
export type ListView = ReturnType<typeof listView>;

/** Rows with the values of the item in common, of which it has the latest times. */
export interface RowTally {
  readonly item: Row;
  readonly rows: number;
}

function listView(endpoint: ListOperation, { source, report, own }: FoundList, end: Cancellation, run: Run) {
  const { properties } = report.itemSchema;
  /** Whether the list has the field in this panel. */
  const has = (field: string) => field in properties;

  /** Adds up the rows, as `foldList` does. Throws TooManyRows. */
  async function fold<T>({ fields, latest = [], ...rows }: Counted, make: Fold<T>[1], add: Fold<T>[2]) {
    const query = { ...EVERY_ROW, ...rows, page: null, figures: null };
    const list = { resource: endpoint.name, source, query, own, end };
    const wanted = { fields: fields.filter(has), latest: latest.filter(has) };
    const { made, isAll } = await foldList<T>(list, run, wanted, make, add);
    if (!isAll) throw new TooManyRows();
    return made;
  }

  return {
    endpoint,
    has,
    /** The words that the field can have, as far as they are known. */
    words(field: string): readonly string[] {
      if (!has(field)) return [];
      const words = properties[field]?.enum ?? endpoint.fields[field]?.words ?? [];
      return (words as readonly string[]).filter((word) => typeof word === 'string' && word !== 'unknown');
    },
    fold,
    /** Counts the rows by the values of these fields, and by which of the times they have. Throws TooManyRows. */
    async tally(counted: Counted): Promise<readonly RowTally[]> {
      const { fields, latest = [] } = counted;
      const add = (found: Map<string, RowTally>, item: Row, rows: number) => {
        const has = latest.map((time) => typeof item[time] === 'string');
        const key = JSON.stringify([...fields.map((name) => String(item[name])), ...has]);
        const known = found.get(key) ?? { item, rows: 0 };
        // Times in the API's one form sort as texts.
        const later = latest.filter((time) => String(item[time] ?? '') > String(known.item[time] ?? ''));
        const times = Object.fromEntries(later.map((time) => [time, item[time]]));
        return found.set(key, { item: { ...known.item, ...times }, rows: known.rows + rows });
      };
      return [...(await fold(counted, () => new Map<string, RowTally>(), add)).values()];
    },
  };
}
