import type { Cancellation } from '../async/Cancellation';
import type { Column } from '../database/columns';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Statement';
import type { Field, Fields } from '../fields';
import { valueSchema } from '../fields/Field';
import type { JsonSchema } from '../json/json';
import { ErrorWithFacts } from '../log/PanelLog';

export type Row = Readonly<Record<string, unknown>>;

/** Where in a list a row stands, as texts: the key of its row, and before it, in a list of parts, the part. */
export type Key = readonly string[];

/** What a source can serve from the live database. */
export interface SourceReport {
  /** `off` if the panel says that it has no such data. */
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

interface ItemSchema extends JsonSchema {
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
  /** The end of the request that waits for the rows; its signal is created when it is asked for. */
  readonly end: Pick<Cancellation, 'signal'>;
}

/** All rows of a list, as a query without filters asks for them. */
export const EVERY_ROW = {
  filters: new Map(),
  updatedSince: null,
  accountId: null,
  after: null,
  limit: null,
};

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
  /** How many statements one picture of the list takes at least; none if it is not in the database. */
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
  /** How many rows the list has; null if only reading them tells. */
  count(run: Run): Promise<number | null>;
  /**
   * The rows in the order of their keys, at least all that the query asks for: the caller leaves out the others.
   * Throws ApiError `resource_unavailable` if the source is missing.
   */
  chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined>;
}

/** A report of a source that serves nothing. */
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

/** What is known of a field beside its declaration: its column, or all words that its mapping can say. */
interface Known {
  readonly column?: Column;
  readonly words?: readonly string[] | undefined;
}

/** The schema of an item with exactly these of the declared fields, as their columns and mappings let them be. */
export function itemSchema(
  fields: Fields,
  served: readonly string[],
  known: ReadonlyMap<string, Known> = new Map(),
): ItemSchema {
  const properties = Object.entries(fields)
    .filter(([name]) => served.includes(name))
    .map(([name, field]) => [name, schemaOf(field, known.get(name))]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
}

function schemaOf(field: Field, { column, words }: Known = {}): JsonSchema {
  if (!words) return valueSchema(field, column);
  const { examples: _examples, ...schema } = field.schema;
  return valueSchema({ ...field, schema: { ...schema, enum: words } }, column);
}

/** The field by which a client asks for what was changed. */
export const CHANGED = 'updated_at';

/**
 * A row that does not hold what a required field needs, and for which nothing can stand in; or with a `cause` one of
 * which a function of the panel's could not make the field.
 */
export class UnreadableRow extends ErrorWithFacts {
  override readonly name = 'UnreadableRow';
  readonly facts: Readonly<Record<string, string>>;

  constructor(field: string, options?: { readonly cause: unknown }) {
    super(
      options ? `The function of the field ${field} threw.` : `A row holds no value for the field ${field}.`,
      options,
    );
    this.facts = { cause_field: field };
  }
}

/** Two rows of a list have the same key, so that no page could begin between them. */
export class KeyNotUnique extends Error {
  override readonly name = 'KeyNotUnique';

  constructor(resource: string) {
    super(`Two rows of ${resource} have the same id.`);
  }
}

/**
 * A statement failed because a table or a column went: the next read looks first, and returns the list without it
 * or says that there is none. Not over the same connection, for PostgreSQL has ended the transaction.
 */
export class ColumnsChanged extends DatabaseFailure {
  constructor({ query, code, errno }: DatabaseFailure) {
    super(query, code, errno);
  }
}
