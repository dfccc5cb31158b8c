import type { Knex } from 'knex';
import type { FieldKind, Fields } from '../fields';
import type { Integer } from '../fields/raw';
import type { PanelLog } from '../log/PanelLog';
import type { Confirmation } from './findings';
import type { ListIds } from './ids';
import type { Where } from './mapping/conditions';
import type { FieldSources } from './mapping/kinds';

interface EverySourceOptions<Keys> {
  /** For `settings` only: the keys that may be shown. Default none. */
  readonly keys?: Keys;
  /**
   * Declares that no id occurs in two parts of a list, so that ids are not changed. For all parts of a list or none.
   */
  readonly uniqueIds?: true;
}

interface SqlSourceOptions<Keys, Time> extends EverySourceOptions<Keys> {
  /**
   * The rows of the list: for columns, in a query `alias.column`, the value that a row must have, or one of several in an
   * array, compared exactly; null stands for NULL. `{ not: … }` leaves out the rows that have it, and keeps NULL unless
   * it names null.
   */
  readonly where?: Where;
  /** Fields of times by which clients can sort the list, the latest first. Their columns should be indexed. */
  readonly orders?: readonly Time[];
  readonly rows?: never;
}

/** Reads a list from one of the panel's tables or views. */
export interface TableSourceOptions<Fields = FieldSources, Keys = readonly string[], Time = string>
  extends SqlSourceOptions<Keys, Time> {
  /** The table or view. Default: the name of the list. */
  readonly table?: string;
  /** How each field is read. Default: from the column with the field's name, if it exists. */
  readonly fields?: Fields;
  readonly query?: never;
}

/** Reads a list from a query of the panel's. The module adds columns, conditions, order and limit. */
export interface QuerySourceOptions<Fields = FieldSources, Keys = readonly string[], Time = string>
  extends SqlSourceOptions<Keys, Time> {
  /** Returns a new query with its joins and conditions. It is called for each read, and must not be run. */
  readonly query: (knex: Knex) => Knex.QueryBuilder;
  /** How each field is read. Fields that are not listed are not served. */
  readonly fields: Fields;
  readonly table?: never;
}

/**
 * The rows that the module needs. It applies all of these members to the returned rows again, so a function may ignore
 * any of them. If it applies `after` or `limit`, it must use the module's order of ids: integers by value (`ids:
 * 'integer'`), texts by their UTF-16 units, as `<` compares them.
 */
export interface FunctionQuery<FieldName extends string = string> {
  /** For each filtered field the values to include, as text: `{ status: ['active', 'pending'] }`. */
  readonly filters: { readonly [K in FieldName]?: readonly string[] };
  /** Only rows of this account; null for all accounts, and for several, which `filters` names. */
  readonly accountId: string | null;
  /** For each field with a range its bounds: `{ created_at: { since: new Date(0) } }`. Null is in no range. */
  readonly ranges: { readonly [K in FieldName]?: FieldRange };
  /** Only rows with a name that begins with this text, whatever the case of the letters A to Z; null for all. */
  readonly search: string | null;
  /** Only rows after this id; null for all. */
  readonly after: Integer | string | null;
  /** Maximum rows needed; null for all. If fewer are returned, the list ends with them. */
  readonly limit: number | null;
  /** Aborted when no request waits for the rows any more. */
  readonly signal: AbortSignal;
}

/** The values of a field to include. */
export interface FieldRange {
  /** For times: this time or later. */
  readonly since?: Date;
  /** For times: earlier than this time. */
  readonly before?: Date;
  /** For numbers: the smallest. */
  readonly min?: Integer;
  /** For numbers: the largest. */
  readonly max?: Integer;
}

type Plain = string | number | bigint | boolean | Uint8Array;
/** `Date`, the numbers and times of data layers, and the `Long` of MongoDB. */
type Exact = { toJSON(): unknown } | { readonly high: number; readonly low: number };

/** What a function may return for a field of this kind, beside the type of the field itself. */
export type Returned<Kind extends FieldKind> =
  | (Kind extends 'word' ? never : Plain | Exact)
  | (Kind extends 'list' | 'any' ? readonly (Plain | Exact)[] : never);

type Several<T> = Iterable<T> | AsyncIterable<T>;

/** Reads a list from a function of the panel's. */
export interface FunctionSourceOptions<
  FieldName extends string = string,
  Item = Readonly<Record<string, unknown>>,
  Keys = readonly string[],
> extends EverySourceOptions<Keys> {
  /**
   * Returns the rows: an array in any order, or an iterable ordered by id. The result may depend on the query only,
   * because requests for the same page share one call. If it returned `limit` rows but more are needed to fill the
   * page, it is called again with `limit: null`.
   */
  readonly rows: (query: FunctionQuery<FieldName>) => Several<Item> | Promise<Several<Item>>;
  /** The fields that the function returns. All other members of a row are ignored. */
  readonly fields: readonly FieldName[];
  /**
   * Fields whose values `panel-api check` says nothing about, because they are meant, or for each field the code of a
   * finding, several codes, or `true`.
   */
  readonly confirm?: readonly FieldName[] | { readonly [Name in FieldName]?: Confirmation };
  /** The type of the ids. Default `string`, unless the field is declared as a whole number. */
  readonly ids?: 'integer' | 'string';
  readonly table?: never;
  readonly query?: never;
  readonly where?: never;
}

/** Reads `services` from systemd. */
export interface UnitSourceOptions {
  /** The units, in the order of the list. */
  readonly units: readonly UnitOptions[];
}

/** A unit of systemd, shown as one service. */
export interface UnitOptions {
  /** The unit's name, such as `nginx` or `php8.2-fpm.service`. */
  readonly unit: string;
  /** The service's name. Default: the module's name for a common unit, such as nginx, otherwise the unit's name. */
  readonly name?: string;
  /** The service's category. Default: the module's category for a common unit, otherwise null. */
  readonly category?: string;
}

export type PartOptions = TableSourceOptions | QuerySourceOptions | FunctionSourceOptions;

/** The source of a list: one part, several one after another, units of systemd, or `false` if there is no such data. */
export type SourceOptions = false | PartOptions | readonly PartOptions[] | UnitSourceOptions;

/** What the source of a list is made from. @internal */
export interface SourceParts<Options> {
  readonly resource: string;
  readonly fields: Fields;
  readonly options: Options;
  readonly ids: ListIds;
  readonly log: PanelLog;
}
