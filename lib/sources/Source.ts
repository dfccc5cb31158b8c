import type { Run } from '../database/Session';
import type { JsonSchema } from '../json/JsonSchema';
import type { RequestEnd } from '../operations/RequestEnd';

export type Row = Readonly<Record<string, unknown>>;

/** Where in a list a row stands, as texts: the key of its row, and before it, in a list of parts, the part. */
export type Key = readonly string[];

/** What a source can give in the live database. */
export interface SourceReport {
  /** `off` where the panel says that it has no such data. */
  readonly state: 'served' | 'missing' | 'off';
  /** Why the resource cannot be served; empty when it can. */
  readonly missing: readonly string[];
  /** What was asked for and is not there, without which the resource is served all the same. */
  readonly warnings: readonly string[];
  /** The schema of an item with exactly the fields that are served. */
  readonly itemSchema: ItemSchema;
  /** The columns of the fields that are read from one as it is, by their fields; none if there are no columns. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The served fields that rows can be asked for by. */
  readonly filters: readonly string[];
  /** Whether it can tell what was changed since a time. */
  readonly updatedSince: boolean;
}

export interface ItemSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** Which values of which fields pass, as texts. */
export type Filters = ReadonlyMap<string, ReadonlySet<string>>;

/** Which rows of a list are wanted. */
export interface RowsQuery {
  readonly filters: Filters;
  /** Only what was changed at this time or later, in seconds since 1970. */
  readonly updatedSince: number | null;
  /** The account that the token is bound to, which `filters` holds already. */
  readonly accountId: string | null;
  /** Only rows behind this one. */
  readonly after: Key | null;
  /** How many rows are likely to be taken; null for all of them. */
  readonly limit: number | null;
  /** The end of whoever waits for the rows; asking for its signal makes one. */
  readonly end: Pick<RequestEnd, 'signal'>;
}

/** Some rows of a list, one after another. */
export interface Chunk {
  readonly items: readonly Row[];
  /** Where an item stands. */
  keyOf(index: number): Key;
  /** Whether no rows come after these. */
  readonly last: boolean;
}

/** Whether a look is at all rows, at enough to notice what is wrong with most, or at none. */
export type Depth = 'all' | 'some' | 'none';

/** How a source looks at its own rows when it is inspected: each look ends by itself. */
export interface Looks {
  readonly run: Run;
  readonly end: () => RowsQuery['end'];
}

/** Where the items of a list come from. */
export interface Source {
  /** How many statements one picture of the list takes at least; none where it is not in the database. */
  readonly statements: number;
  /** Looks afresh at what is there. */
  inspect(depth: Depth): Promise<SourceReport>;
  /**
   * What the last look found; looks when there was none, or when something was missing. `run` is for who has a place at
   * the database already, and must not wait for another.
   */
  report(run?: Run): Promise<SourceReport>;
  /** Whether a row of this source could stand there. */
  accepts(key: Key): boolean;
  /** How many rows the list has; null where that can only be told by reading them. */
  count(run: Run): Promise<number | null>;
  /**
   * The rows in the order of their keys, at least all that the query asks for: the caller leaves out the others.
   * Throws ApiError `resource_unavailable` where the source is missing.
   */
  chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined>;
}

/** A report of a source that gives nothing. */
export function emptyReport(state: 'missing' | 'off', missing: readonly string[] = []): SourceReport {
  return {
    state,
    missing,
    warnings: [],
    itemSchema: { type: 'object', properties: {} },
    filters: [],
    updatedSince: false,
  };
}
