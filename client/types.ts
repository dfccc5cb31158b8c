import type { Field, ObjectOf } from '../lib/fields';
import type { Filterable } from '../lib/fields/Field';
import type { FieldsOf, ListName, ObjectFieldsOf, ObjectName } from '../routes';
import type { CallOptions, ConditionalOptions } from './request';
import type { Store } from './Store';

// What the client takes and returns, derived from the declarations of the endpoints.

/** The names of a list's fields, or of those of one type. */
type FieldName<N extends ListName, F = Field> = {
  [K in keyof FieldsOf<N>]: FieldsOf<N>[K] extends F ? K : never;
}[keyof FieldsOf<N>] &
  string;

type RequiredName<N extends ListName> = FieldName<N, { readonly required: true }>;
type TimeName<N extends ListName> = FieldName<N, Field<unknown, 'time'>>;
type NumberName<N extends ListName> = FieldName<N, Field<unknown, 'number' | 'bytes' | 'milliseconds'>>;
/** The types below are over keys of `FieldsOf`, so that editors show the texts of the fields. */
type FilterName<N extends ListName> = FieldName<N, Filterable<Field>>;
type OneOrMore<T> = T | readonly T[];

/** The type of a field's values. An editor suggests the words of the API, but a panel may have others. */
type Value<F> = F extends { readonly words: readonly (infer W)[] }
  ? W | (string & Record<never, never>)
  : F extends Field<infer T>
    ? T
    : never;

/** Merges an intersection into one object type, so that editors show its members. */
type Flat<T> = { [K in keyof T]: T[K] };

/** An item of a list. A panel may supply only the fields that are always present. */
export type Item<N extends ListName> = Flat<
  { readonly [K in keyof Pick<FieldsOf<N>, RequiredName<N>>]: Value<FieldsOf<N>[K]> } & {
    readonly [K in keyof Omit<FieldsOf<N>, RequiredName<N>>]?: Value<FieldsOf<N>[K]> | null;
  }
>;

export type KeyName<N extends ListName> = Extract<keyof Item<N>, 'id' | 'key'>;
/** An item with its key and some of its other fields. */
type Part<N extends ListName, K> = Flat<Pick<Item<N>, Extract<keyof Item<N>, K> | KeyName<N>>>;

/** The parameters of a list. The panel decides which of them it has. */
export type ListParameters<N extends ListName, K extends FieldName<N> = FieldName<N>> = {
  readonly [F in keyof Pick<FieldsOf<N>, FilterName<N>>]?: OneOrMore<Value<FieldsOf<N>[F]>> | undefined;
} & {
  readonly [F in TimeName<N> as `${F}_since` | `${F}_before`]?: Date | string | undefined;
} & {
  readonly [F in NumberName<N> as `${F}_min` | `${F}_max`]?: number | bigint | undefined;
} & {
  /** Only items that were changed at this time or later. */
  readonly updated_since?: Date | string | undefined;
  readonly search?: string | undefined;
  readonly order?: 'desc' | `-${TimeName<N>}` | undefined;
  /** The fields to read besides the key. Default: all. */
  readonly fields?: readonly K[] | undefined;
  /** The most items of a page, 1 to 1,000. Default: 1,000. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
};

/** The data of an answer, with which a later call asks whether it has changed. */
export interface Tagged {
  /** For the option `etag`; null if the answer has none, because it was sent in pieces. */
  readonly etag: string | null;
}

/** What an answer without rows says besides. */
export interface NoRows {
  /** For each field, the words of its filter that no row has and that are no words of the field, if there are any. */
  readonly unknownWords?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface Page<T> extends Tagged, NoRows {
  readonly items: readonly T[];
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** The names of the fields that can be added up. */
type SumName<N extends ListName> = FieldName<N, Field<unknown, 'bytes'>>;

/** The words of a field as texts. A panel may have others. */
type Words<F> = F extends { readonly words: readonly (infer W extends string)[] }
  ? W
  : F extends Field<boolean>
    ? `${boolean}`
    : never;

type Counts<N extends ListName, C> = Readonly<
  Record<string, number> & Partial<Record<C extends FieldName<N> ? Words<FieldsOf<N>[C]> : never, number>>
>;

/** Figures of a list: with `counts` if `count` names a field, and with `sums` if `sum` names fields. */
export type Figures<
  N extends ListName = ListName,
  C extends FilterName<N> | undefined = undefined,
  S extends SumName<N> | undefined = undefined,
> = Tagged &
  NoRows & { readonly total: number } & (undefined extends C
    ? { readonly counts?: Readonly<Record<string, number>> }
    : { readonly counts: Counts<N, C> }) &
  (undefined extends S
    ? { readonly sums?: Readonly<Record<string, number | bigint>> }
    : { readonly sums: Readonly<Record<S & string, number | bigint>> });

type CountParameters<N extends ListName, C, S> = Omit<
  ListParameters<N>,
  'limit' | 'cursor' | 'order' | 'fields'
> & {
  readonly count?: C | undefined;
  readonly sum?: readonly S[] | undefined;
};

export interface List<N extends ListName> {
  /** Reads the items page by page. */
  <const K extends FieldName<N> = FieldName<N>>(
    parameters?: ListParameters<N, K>,
    options?: CallOptions,
  ): AsyncGenerator<Part<N, K>, void, undefined>;
  page<const K extends FieldName<N> = FieldName<N>>(
    parameters?: ListParameters<N, K>,
    options?: CallOptions,
  ): Promise<Page<Part<N, K>>>;
  /** Returns null if the page has not changed since `etag`. */
  page<const K extends FieldName<N> = FieldName<N>>(
    parameters: ListParameters<N, K>,
    options: ConditionalOptions,
  ): Promise<Page<Part<N, K>> | null>;
  /** Returns the item with this key; null if there is none. */
  get(key: Item<N>[KeyName<N>], options?: CallOptions): Promise<Item<N> | null>;
  /** Counts the items, also by the values of a field, and adds up sizes. */
  count<
    const C extends FilterName<N> | undefined = undefined,
    const S extends SumName<N> | undefined = undefined,
  >(parameters?: CountParameters<N, C, S>, options?: CallOptions): Promise<Figures<N, C, S>>;
  /** Returns null if the figures have not changed since `etag`. */
  count<
    const C extends FilterName<N> | undefined = undefined,
    const S extends SumName<N> | undefined = undefined,
  >(parameters: CountParameters<N, C, S>, options: ConditionalOptions): Promise<Figures<N, C, S> | null>;
}

export type ObjectData<N extends ObjectName> = Readonly<
  ObjectOf<ObjectFieldsOf<N>> & { resource: string } & Tagged
>;

interface Load<T> {
  (options?: CallOptions): Promise<T>;
  /** Returns null if the data has not changed since `etag`. */
  (options: ConditionalOptions): Promise<T | null>;
}

/** How many items a run has stored, deleted and left as they were. The copy is complete. */
export type SyncResult = Readonly<Record<'created' | 'changed' | 'deleted' | 'unchanged', number>> & {
  readonly complete: true;
};

export interface SyncOptions<N extends ListName = ListName, K extends FieldName<N> = FieldName<N>>
  extends CallOptions {
  /** Filters, ranges and a search, if the copy is that of some rows. */
  readonly filters?: Omit<ListParameters<N>, 'limit' | 'cursor' | 'order' | 'fields'> | undefined;
  /** The fields to copy besides the key. Default: all. */
  readonly fields?: readonly K[] | undefined;
  /** Whether a list of ten rows or more may lose more than half of them. Default: false. */
  readonly allowLoss?: boolean | undefined;
}

/**
 * Brings a copy up to date: reads the whole list, and only at its end stores what has changed and deletes what is gone.
 * Throws what a list throws, a SuspiciousLoss, or an Error whose `code` begins with `COPY_`; the copy is then as it was.
 */
type Sync = <N extends ListName, const K extends FieldName<N> = FieldName<N>>(
  name: N,
  store: Store<Item<N>[KeyName<N>], Part<N, K>> | Map<Item<N>[KeyName<N>], Part<N, K>>,
  options?: SyncOptions<N, K>,
) => Promise<SyncResult>;

/**
 * The lists by their names, and the methods that return one object. `me` says what the token may do: each of its
 * `endpoints` has `allowed`.
 */
export type PanelClient = { readonly [N in ListName]: List<N> } & {
  readonly [N in ObjectName]: Load<ObjectData<N>>;
} & { readonly sync: Sync };
