import type { Knex } from 'knex';
import type { Field } from '../fields';
import type { Integer } from '../fields/raw';
import type { TimeForm } from '../time/time';
import type { Row } from './Source';

/** What a panel's column may hold to say one thing, compared as text: `0`, `'0'` and `false` are one and the same. */
export type Sentinel = string | number | bigint | boolean;

type Held = Sentinel | null;

/**
 * A value of a column as a function gets it, whatever the database: a whole number from a column of whole numbers (a
 * bigint beyond 2^53), 1 or 0 from one of booleans, RFC 3339 text from one of times, otherwise text; null where the
 * column is NULL.
 */
export type RawValue = Integer | string | null;

/** Units of size are powers of 1024, as panels use them. */
export type Unit = 'KB' | 'MB' | 'GB' | 'TB' | 'seconds' | 'minutes';

export type ValueOf<F extends Field> = F extends Field<infer T> ? T : never;

/** What a mapping may say of a field: one of its words, or else any value of its type. */
type Mapped<F extends Field> = F extends { readonly words: readonly (infer W)[] } ? W : ValueOf<F>;

/** What may be said of fields whose values are of this type, and of a field that nobody knows. */
type Only<F extends Field, T, Said> = unknown extends ValueOf<F> ? Said : ValueOf<F> extends T ? Said : never;

/** The same for every row. */
export interface ConstantSource<F extends Field = Field> {
  readonly value: Mapped<F> | null;
}

/**
 * One column and how it is to be read. The steps apply in the order in which they stand here; whatever comes out is
 * read as the field's own type.
 */
export interface ColumnSource<F extends Field = Field> {
  /** `column`, or `alias.column` in a query; without it, the field's own name. */
  readonly column?: string;
  /** What means "none": no parent, no limit, never. */
  readonly null?: Sentinel | readonly Sentinel[];
  /** Translates the panel's words, compared as text, into the API's. */
  readonly values?: Readonly<Record<string, Mapped<F> | null>>;
  /** What `values` says of all other words; without it, `unknown` in a field of words and null in any other. */
  readonly otherwise?: Mapped<F> | null;
  /** What counts as true; everything else is false, NULL too. For fields that are true or false. */
  readonly true?: Only<F, boolean, Sentinel | readonly Sentinel[]>;
  /** The unit of the column, where it is not the field's own. For sizes and durations. */
  readonly unit?: Only<F, Integer, Unit>;
  /** How the column writes a time; without it, that is told by its looks. For times. */
  readonly time?: Only<F, string, TimeForm>;
  /** The time zone of a date or a time that names none, by its IANA name; without it, UTC. For times. */
  readonly zone?: Only<F, string, string>;
  /** What stands between the members of a list; without it, commas, semicolons, white space or `|`. For lists. */
  readonly separator?: Only<F, readonly string[], string>;
  /**
   * That a column of decimals or texts holds whole numbers, or one of which SQLite knows no type: they are shown as
   * numbers, and anything else in it (`007`, `1.5`) as null. Texts cannot be the key so. For ids.
   */
  readonly integer?: Integer extends ValueOf<F> ? true : never;
  /** Which part of a list of several parts an id belongs to, counted from 0; see the README. For ids. */
  readonly part?: Integer extends ValueOf<F> ? number : never;
  /** Makes the value of what the column holds. The field cannot be filtered then. */
  readonly from?: (raw: RawValue) => unknown;
}

/** What several columns hold together: the first case decides whose columns all hold what it says. */
export interface CasesSource<F extends Field = Field> {
  readonly cases: readonly {
    /** Columns, and what each must hold; null means that it is NULL. */
    readonly when: Readonly<Record<string, Held | readonly Held[]>>;
    readonly is: Mapped<F> | null;
  }[];
  /** What is said where no case decides; without it, `unknown` in a field of words and null in any other. */
  readonly otherwise?: Mapped<F> | null;
}

/** A function over several columns. For an `id`, these columns are the key, in this order. */
export interface ColumnsSource {
  readonly columns: Readonly<Record<string, string>>;
  /** Makes the value of what the columns hold, under the names that `columns` gives them. */
  readonly compute: (raw: Readonly<Record<string, RawValue>>) => unknown;
  readonly part?: number;
}

/** How one field is read: from a column by its name, as described, or (with false) not at all. */
export type FieldSource<F extends Field = Field> =
  | string
  | (F extends { readonly required: true } ? never : false)
  | ConstantSource<F>
  | ColumnSource<F>
  | CasesSource<F>
  | ColumnsSource;

export type FieldSources = Readonly<Record<string, FieldSource>>;

interface EverySourceOptions {
  /** For settings: the keys that may be shown. Without it none is. */
  readonly keys?: readonly string[];
  /** For all parts of a list or none: that no two of them have a row with the same id, so that ids stay as they are. */
  readonly uniqueIds?: true;
}

/** A table of the panel's. */
export interface TableSourceOptions extends EverySourceOptions {
  /** The table or view; without it, the one named as the resource. */
  readonly table?: string;
  /** A field that is not named here is read from the column of its own name, where there is one. */
  readonly fields?: FieldSources;
}

/** A query of the panel's: its joins and conditions. The module adds columns, conditions, order and limit. */
export interface QuerySourceOptions extends EverySourceOptions {
  readonly query: (knex: Knex) => Knex.QueryBuilder;
  /** Only the fields that are named here are served. */
  readonly fields: FieldSources;
}

/**
 * What is asked of a function. The module applies all of it again, so a function may ignore any of it. One that cuts by
 * `after` or `limit` must cut in the module's order of ids: whole numbers by value (`ids: 'integer'`), texts by their
 * UTF-16 units, as `<` compares them.
 */
export interface ProviderQuery<FieldName extends string = string> {
  /** Fields and the values that pass, as text: `{ status: ['active', 'pending'] }`. */
  readonly filters: { readonly [K in FieldName]?: readonly string[] };
  /** Only rows of this account; null for those of all. */
  readonly accountId: string | null;
  /** Only rows that were changed at this time or later. */
  readonly updatedSince: Date | null;
  /** Only rows whose id comes after this one. */
  readonly after: Integer | string | null;
  /** How many rows are enough; null for all. Fewer rows than this say that there are no more. */
  readonly limit: number | null;
  /** Aborted when nobody waits for the rows any more. */
  readonly signal: AbortSignal;
}

export type Several<T> = Iterable<T> | AsyncIterable<T>;

/** Rows that are not in the database. */
export interface ProviderSourceOptions extends EverySourceOptions {
  /**
   * Returns the rows: an array in any order, or an iterable in the order of their ids. They may depend only on the
   * query: requests for the same page share one call, made while the first of them is served. It is called a second
   * time, with `limit: null`, if as many rows as `limit` do not fill the page.
   */
  readonly rows: (query: ProviderQuery) => Several<Row> | Promise<Several<Row>>;
  /** The fields that it supplies; nothing else of a row is ever read. */
  readonly fields: readonly string[];
  /** Whether its ids are whole numbers. Default `string`, where the field does not say it. */
  readonly ids?: 'integer' | 'string';
}

/** Units of systemd, for services. */
export interface UnitSourceOptions {
  readonly units: readonly UnitOptions[];
}

export interface UnitOptions {
  /** The unit's name, such as `nginx` or `php8.2-fpm.service`. */
  readonly unit: string;
  /** What people call it; without it, the unit's name. */
  readonly name?: string;
  readonly category?: string;
}

export type PartOptions = TableSourceOptions | QuerySourceOptions | ProviderSourceOptions;

/** Where a list comes from: one source, several one after another, or false when the panel has no such data. */
export type SourceOptions = false | PartOptions | readonly PartOptions[] | UnitSourceOptions;
