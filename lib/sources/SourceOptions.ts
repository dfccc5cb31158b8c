import type { Knex } from 'knex';
import type { Integer } from '../fields/raw';
import type { FieldSources } from './mapping/kinds';
import type { Row } from './Source';

interface EverySourceOptions<Keys> {
  /** For settings: the keys that may be shown. Default none. */
  readonly keys?: Keys;
  /** Promises that no two parts of a list have a row with the same id: ids stay as they are. For all parts or none. */
  readonly uniqueIds?: true;
}

/** A table of the panel's. */
export interface TableSourceOptions<Fields = FieldSources, Keys = readonly string[]>
  extends EverySourceOptions<Keys> {
  /** The table or view. Default: the one named as the resource. */
  readonly table?: string;
  /** A field that is not named here is read from the column of its own name, if there is one. */
  readonly fields?: Fields;
  readonly query?: never;
  readonly rows?: never;
}

/** A query of the panel's: its joins and conditions. The module adds columns, conditions, order and limit. */
export interface QuerySourceOptions<Fields = FieldSources, Keys = readonly string[]>
  extends EverySourceOptions<Keys> {
  readonly query: (knex: Knex) => Knex.QueryBuilder;
  /** Only the fields that are named here are served. */
  readonly fields: Fields;
  readonly table?: never;
  readonly rows?: never;
}

/**
 * The rows that are asked of a function. The module applies all of it again, so a function may ignore any of it. One
 * that applies `after` or `limit` must do so in the module's order of ids: whole numbers by value (`ids: 'integer'`),
 * texts by their UTF-16 units, as `<` compares them.
 */
export interface FunctionQuery<FieldName extends string = string> {
  /** Fields and the values that pass, as text: `{ status: ['active', 'pending'] }`. */
  readonly filters: { readonly [K in FieldName]?: readonly string[] };
  /** Only rows of this account; null for those of all. */
  readonly accountId: string | null;
  /** Only rows that were changed at this time or later. */
  readonly updatedSince: Date | null;
  /** Only rows whose id comes after this one. */
  readonly after: Integer | string | null;
  /** How many rows are enough; null for all. Fewer rows than this mean that there are no more. */
  readonly limit: number | null;
  /** Aborted when no request waits for the rows any more. */
  readonly signal: AbortSignal;
}

type Several<T> = Iterable<T> | AsyncIterable<T>;

/** Rows that are not in the database. */
export interface FunctionSourceOptions<
  FieldName extends string = string,
  Item = Row,
  Keys = readonly string[],
> extends EverySourceOptions<Keys> {
  /**
   * Returns the rows: an array in any order, or an iterable in the order of their ids. They may depend only on the
   * query: requests for the same page share one call, made while the first of them is served. It is called a second
   * time, with `limit: null`, if as many rows as `limit` do not fill the page.
   */
  readonly rows: (query: FunctionQuery<FieldName>) => Several<Item> | Promise<Several<Item>>;
  /** The fields that it supplies; nothing else of a row is ever read. */
  readonly fields: readonly FieldName[];
  /** The type of its ids. Default `string`, unless the field's own type is a whole number. */
  readonly ids?: 'integer' | 'string';
  readonly table?: never;
  readonly query?: never;
}

/** Units of systemd, for services. */
export interface UnitSourceOptions {
  readonly units: readonly UnitOptions[];
}

export interface UnitOptions {
  /** The unit's name, such as `nginx` or `php8.2-fpm.service`. */
  readonly unit: string;
  /** Its name for people. Default: the unit's name. */
  readonly name?: string;
  readonly category?: string;
}

export type PartOptions = TableSourceOptions | QuerySourceOptions | FunctionSourceOptions;

/** The source of a list: one, several one after another, or false if the panel has no such data. */
export type SourceOptions = false | PartOptions | readonly PartOptions[] | UnitSourceOptions;
