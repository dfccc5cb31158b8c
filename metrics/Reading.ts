import type { Item } from '../lib/problems/problems';
import type { ListReader, PanelReader, ReadSlot } from '../lib/requests/PanelReader';
import type { GroupsQuery } from '../lib/sources/Source';
import type { PanelApi } from '../middleware/PanelApi';
import type { Family } from './exposition';

/** What a reading has to read with. */
interface ReadingContext {
  readonly api: Pick<PanelApi, 'tokens' | 'usage'>;
  readonly reader: PanelReader;
  /** The list of the reading; null if its endpoint is an object. */
  readonly list: ListReader | null;
  readonly slot: ReadSlot;
}

/** Some metrics that are read together. */
export interface Reading {
  /** Its name in the label `list`. */
  readonly name: string;
  /** The endpoint whose scope and account decide who sees it. */
  readonly endpoint: string;
  /** Another list that it reads. A token without its scope does not see the reading. */
  readonly beside?: string | undefined;
  readonly read: (context: ReadingContext) => Promise<readonly Family[]>;
}

/** A reading of a list. The list beside it is null if the panel does not show it. */
export function listReading(
  name: string,
  read: (list: ListView, beside: ListView | null) => Promise<readonly Family[]>,
  beside?: string,
): Reading {
  return {
    name,
    // A part of a list is named after it.
    endpoint: name.replace(/\..*/, ''),
    beside,
    async read({ reader, list, slot }) {
      if (!list) throw new TypeError(`${name} is no list.`);
      const other = beside === undefined ? null : await reader.listIfShown(beside);
      return read(new ListView(list, slot), other && new ListView(other, slot));
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

/** Rows with the values of the item in common, of which it has the latest times. */
export interface RowTally {
  readonly item: Item;
  readonly rows: number;
}

/** A list as a token may read it, for the metrics: it is counted, and nearly never read. */
export class ListView {
  readonly #list: ListReader;
  readonly #slot: ReadSlot;

  constructor(list: ListReader, slot: ReadSlot) {
    this.#list = list;
    this.#slot = slot;
  }

  get operation() {
    return this.#list.endpoint.operation;
  }

  /** Whether the list has the field in this panel. */
  has(field: string): boolean {
    return this.#list.has(field);
  }

  /** The words that the field can have, as far as they are known. */
  words(field: string): readonly string[] {
    if (!this.has(field)) return [];
    const words = this.#list.words(field) ?? this.operation.fields[field]?.words ?? [];
    return words.filter((word) => word !== 'unknown');
  }

  /** Adds up the rows, or one item of all that have the fields in common. Throws TooManyRows. */
  async fold<T>(
    { fields, latest = [], ...rows }: Counted,
    make: () => T,
    add: (made: T, item: Item, rows: number) => T,
  ): Promise<T> {
    const isServed = (field: string) => this.has(field);
    const wanted = { fields: fields.filter(isServed), latest: latest.filter(isServed) };
    const { made, isAll } = await this.#list.foldIn<T>(this.#slot, rows, wanted, make, add);
    if (!isAll) throw new TooManyRows();
    return made;
  }

  /** Counts the rows by the values of these fields, and by which of the times they have. Throws TooManyRows. */
  async tally(counted: Counted): Promise<readonly RowTally[]> {
    const { fields, latest = [] } = counted;
    const add = (found: Map<string, RowTally>, item: Item, rows: number) => {
      const has = latest.map((time) => typeof item[time] === 'string');
      const key = JSON.stringify([...fields.map((name) => String(item[name])), ...has]);
      const known = found.get(key) ?? { item, rows: 0 };
      // Times in the API's one form sort as texts.
      const later = latest.filter((time) => String(item[time] ?? '') > String(known.item[time] ?? ''));
      const times = Object.fromEntries(later.map((time) => [time, item[time]]));
      return found.set(key, { item: { ...known.item, ...times }, rows: known.rows + rows });
    };
    return [...(await this.fold(counted, () => new Map<string, RowTally>(), add)).values()];
  }
}
