import { Cancellation } from '../async/Cancellation';
import type { Bounds } from '../database/columns';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Run } from '../database/Statement';
import { ApiError } from '../errors/ApiError';
import { valueSchema } from '../fields';
import { closedSchema, type JsonSchema } from '../json/json';
import { ErrorWithFacts } from '../log/PanelLog';
import { type Filters, filterTest } from './filters';
import type { Finding } from './findings';
import type { FieldPlan } from './mapping/FieldPlan';
import type { IdColumn, OwnedAccounts } from './OwnedAccounts';

export type Row = Readonly<Record<string, unknown>>;

/** The position of a row in its list, as texts: the row's key, preceded by the part if the list has several parts. */
export type Key = readonly string[];

/** An order that a client can ask for: the reverse of the order by key, or the latest times of a field first. */
export type Order = 'desc' | `-${string}`;

/** What a source can serve from the live database. */
export interface SourceReport {
  /**
   * `off` if the panel set the list to `false`; `missing` if a table or a column does not exist; `failed` if it cannot be
   * read for any other reason, such as a missing right.
   */
  readonly state: 'served' | Unserved;
  /** Why the list cannot be served; empty if it can. */
  readonly missing: readonly string[];
  /** The failure of the database for which it cannot be read, if there was one. */
  readonly failure?: DatabaseFailure | undefined;
  /** Faults that do not prevent the list from being served. */
  readonly warnings: readonly Finding[];
  /** The schema of an item with the served fields. */
  readonly itemSchema: ItemSchema;
  /** How its fields are read; absent if their rows are read from several sources. */
  readonly plans?: Readonly<Record<string, FieldPlan>>;
  /** The served fields that can be filtered. */
  readonly filters: readonly string[];
  /** The served fields of whose values the beginning can be searched: names. */
  readonly searchable: readonly string[];
  /** The served fields that have ranges: times and numbers. */
  readonly ranges: readonly string[];
  /** The orders that it has beside that by key. */
  readonly orders: readonly Order[];
}

type Unserved = 'missing' | 'failed' | 'off';

interface ItemSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/**
 * For each field the bounds of the values to include; null is never included. Times are in seconds since 1970, and `to`
 * is the first that is excluded. Numbers include both bounds.
 */
export type Ranges = ReadonlyMap<string, Bounds>;

/** Of one of the fields the value must begin with the text. The case of the letters A to Z does not matter. */
export interface Search {
  readonly text: string;
  readonly fields: readonly string[];
  /** Those of the fields that hold domain names, of which either spelling may begin so. */
  readonly domains: readonly string[];
}

export interface Conditions {
  readonly filters: Filters;
  readonly ranges: Ranges;
  readonly search: Search | null;
  /** The accounts of which the source returns rows alone, exactly: the caller cannot test it. Null or absent for all. */
  readonly owned?: OwnedAccounts | null;
}

export interface WantedRows extends Conditions {
  /** The order of the rows; null for that by key. */
  readonly order: Order | null;
}

/** Which of these rows to read. */
export interface RowsQuery extends WantedRows {
  /** Only rows after this one in that order. */
  readonly after: Key | null;
  /** The accounts that the token is limited to; null for all. `filters` already contains them. */
  readonly accountIds: ReadonlySet<string> | null;
  /** How many rows are likely to be used; null for all. */
  readonly limit: number | null;
  /** The fields that are used; null for all. */
  readonly fields: readonly string[] | null;
  /** The end of the request that waits for the rows. Its signal is created on first access. */
  readonly end: Pick<Cancellation, 'signal'>;
}

export const EVERY_ROW = {
  filters: new Map(),
  ranges: new Map(),
  search: null,
  accountIds: null,
  order: null,
  after: null,
  limit: null,
  fields: null,
};

/** Some consecutive rows of a list. */
export interface Chunk {
  readonly items: readonly Row[];
  /** The rows that the items were read from, with the cells of the report's `plans`. They may hold secrets. */
  readonly raws?: readonly Row[];
  keyOf(index: number): Key;
  /** Whether these are the last rows. */
  readonly last: boolean;
}

/** Which rows an inspection reads: all, none, or many (a thousand, and the words of the newest ten thousand). */
export type Depth = 'all' | 'many' | 'none';

/** Who holds the database's slots for statements that no request for a list waits for. */
export const CHECKS = 'checks';

/** Which rows to count, and what to tell them apart by. */
export interface GroupsQuery extends Conditions {
  /** The fields that the rows of a group have in common. */
  readonly fields: readonly string[];
  /** The fields whose values are added up. */
  readonly sums: readonly string[];
  /** The fields of times of which a group has only the latest. Its rows have the same ones of these times. */
  readonly latest: readonly string[];
}

export interface Group {
  /** What they have in common: at least the fields of the query that the source has. */
  readonly item: Row;
  readonly rows: number;
  /** The sums of their values that are not null. */
  readonly sums: Readonly<Record<string, bigint>>;
}

/** Reads once more if the source's columns have changed in the meantime. */
export async function retryOnSchemaChange<T>(read: () => Promise<T>): Promise<T> {
  return read().catch((error) => {
    if (!(error instanceof ColumnsChanged)) throw error;
    return read();
  });
}

export interface Source {
  /** The minimum number of statements that read the whole list; 0 if it is not in the database. */
  readonly statements: number;
  /** The sources whose rows follow one another in this one. Absent if it is one itself. */
  readonly parts?: readonly Source[];
  inspect(depth: Depth): Promise<SourceReport>;
  /**
   * Returns the last report, or inspects again if there is none or a few seconds ago something was missing. A caller
   * with a slot at the database passes its `run`, because it must not wait for another slot.
   */
  report(run?: Run): Promise<SourceReport>;
  /**
   * Returns the column whose whole numbers this field shows, unchanged; null if there is none. Absent unless the rows are
   * those of a table.
   */
  idColumn?(field: string, run: Run): Promise<IdColumn | null>;
  /** Whether a row of this source could have this key in this order. */
  accepts(key: Key, order: Order | null): boolean;
  /**
   * Returns groups with at least all rows that match the query; the caller drops the others. Null if the rows must be
   * read to count them.
   */
  groups(query: GroupsQuery, run: Run): Promise<readonly Group[] | null>;
  /** Yields at least all rows that match, in order; the caller drops the others. Throws as `requireServed` does. */
  chunks(query: RowsQuery, run: Run): AsyncGenerator<Chunk, void, undefined>;
}

/** Whether a source is read by statements alone: none of its rows or values are from a function. */
export function isInDatabase({ statements, parts }: Source): boolean {
  return parts ? parts.every(isInDatabase) : statements === 1;
}

/** Returns about the first `most` rows of a source that have these values, for a check, and whether it has no others. */
export async function readFirst(
  source: Source,
  most: number,
  checks: Database,
  filters: Filters = new Map(),
  end = Cancellation.after(checks.deadlineMs),
): Promise<{ readonly rows: readonly Row[]; readonly isAll: boolean }> {
  const rows: Row[] = [];
  const matches = filterTest(filters);
  const query = { ...EVERY_ROW, filters, limit: most, end };
  for await (const { items, last } of source.chunks(query, checks.run)) {
    end.throwIfOver();
    rows.push(...items.filter(matches));
    if (last || rows.length >= most) return { rows, isAll: last };
  }
  return { rows, isAll: true };
}

/**
 * Throws ApiError `resource_unavailable` if the panel has no such data, and `unavailable` if they cannot be read: clients
 * may treat the first as an absence.
 */
export function requireServed({ state, failure }: Pick<SourceReport, 'state' | 'failure'>): void {
  if (state === 'served') return;
  if (state === 'failed') throw new ApiError('unavailable', {}, failure ?? new Unreadable());
  throw new ApiError('resource_unavailable');
}

/** The columns of a list do not fit its fields. `panel-api check` says why. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export function emptyReport(state: Unserved, missing: readonly string[] = []): SourceReport {
  return { state, missing, warnings: [], ...servedFields([]), orders: [] };
}

/**
 * Returns what a source that reads these fields serves. The schema of an item is narrowed by what is known about them:
 * their columns, and all words that their mappings can return.
 */
export function servedFields(
  plans: readonly FieldPlan[],
): Pick<SourceReport, 'itemSchema' | 'plans' | 'filters' | 'searchable' | 'ranges'> {
  const properties = plans.map(({ name, field, column, words }) => {
    const { examples: _examples, ...schema } = field.schema;
    return [name, valueSchema(words ? { ...field, schema: { ...schema, enum: words } } : field, column)];
  });
  const having = (ability: 'pushDown' | 'search' | 'range') =>
    plans.filter((plan) => plan[ability]).map(({ name }) => name);
  return {
    itemSchema: closedSchema(Object.fromEntries(properties)),
    plans: Object.fromEntries(plans.map((plan) => [plan.name, plan])),
    filters: having('pushDown'),
    searchable: having('search'),
    ranges: having('range'),
  };
}

/** The field that `updated_since` compares. */
export const CHANGED = 'updated_at';

/**
 * A required field without a fallback has no value or, with a `cause`, the panel's function for a field threw or, with a
 * `type`, returned what cannot be read for a required field or a limit.
 */
export class UnreadableRow extends ErrorWithFacts {
  override readonly name = 'UnreadableRow';
  readonly facts: Readonly<Record<string, string>>;

  constructor(field: string, options: { readonly cause?: unknown; readonly type?: string } = {}) {
    const { type } = options;
    const missing = `no value for the required field ${field}`;
    const has = type ? `a value of the type ${type} for the field ${field}, which cannot be read` : missing;
    super(
      'cause' in options ? `The function of the field ${field} threw an error.` : `A row has ${has}.`,
      options,
    );
    this.facts = { cause_field: field, ...(type && { cause_type: type }) };
  }
}

/** Two rows of a list have the same key, so no page can begin between them, or the same number is derived from theirs. */
export class KeyNotUnique extends Error {
  override readonly name = 'KeyNotUnique';

  constructor(resource: string, isDerived = false) {
    super(
      isDerived
        ? `The same id is derived from two keys of ${resource}.`
        : `Two rows of ${resource} have the same id.`,
    );
  }
}

/**
 * A statement failed because a table or column was removed. The next read inspects the source first, then returns the
 * list without the column, or throws. It needs another connection, because PostgreSQL has aborted the transaction.
 */
export class ColumnsChanged extends DatabaseFailure {
  constructor({ query, code, errno }: DatabaseFailure) {
    super(query, code, errno);
  }
}
