import type { Field, ObjectOf } from '../lib/fields';
import type { Filterable } from '../lib/fields/Field';
import type { FieldsOf, ListName, ObjectFieldsOf, ObjectName } from '../routes';
import type { CallOptions } from './request';

// What the client takes and returns, derived from the declarations of the endpoints.

/** The names of a list's fields, or of those of one type. */
type FieldName<N extends ListName, F = Field> = {
  [K in keyof FieldsOf<N>]: FieldsOf<N>[K] extends F ? K : never;
}[keyof FieldsOf<N>] &
  string;

type RequiredName<N extends ListName> = FieldName<N, { readonly required: true }>;
type TimeName<N extends ListName> = FieldName<N, Field<unknown, 'time'>>;
type NumberName<N extends ListName> = FieldName<N, Field<unknown, 'number' | 'bytes' | 'milliseconds'>>;
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
  { readonly [K in RequiredName<N>]: Value<FieldsOf<N>[K]> } & {
    readonly [K in Exclude<FieldName<N>, RequiredName<N>>]?: Value<FieldsOf<N>[K]> | null;
  }
>;

export type KeyName<N extends ListName> = Extract<keyof Item<N>, 'id' | 'key'>;
/** An item with its key and some of its other fields. */
type Part<N extends ListName, K> = Flat<Pick<Item<N>, Extract<keyof Item<N>, K> | KeyName<N>>>;

/** The parameters of a list. The panel decides which of them it has. */
export type ListParameters<N extends ListName, K extends FieldName<N> = FieldName<N>> = {
  readonly [F in FieldName<N, Filterable<Field>>]?: OneOrMore<Value<FieldsOf<N>[F]>> | undefined;
} & {
  readonly [F in TimeName<N> as `${F}_since` | `${F}_before`]?: Date | string | undefined;
} & {
  readonly [F in NumberName<N> as `${F}_min` | `${F}_max`]?: number | bigint | undefined;
} & {
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

export interface Page<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** Figures of a list: with `counts` if `count` names a field, and with `sums` if `sum` names fields. */
export interface Figures {
  readonly total: number;
  readonly counts?: Readonly<Record<string, number>>;
  readonly sums?: Readonly<Record<string, number | bigint>>;
}

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
  /** Returns the item with this key; null if there is none. */
  get(key: Item<N>[KeyName<N>], options?: CallOptions): Promise<Item<N> | null>;
  /** Counts the items, also by the values of a field, and adds up sizes. */
  count(
    parameters?: Omit<ListParameters<N>, 'limit' | 'cursor' | 'order' | 'fields'> & {
      readonly count?: FieldName<N, Filterable<Field>> | undefined;
      readonly sum?: readonly FieldName<N, Field<unknown, 'bytes'>>[] | undefined;
    },
    options?: CallOptions,
  ): Promise<Figures>;
}

export type ObjectData<N extends ObjectName> = Readonly<ObjectOf<ObjectFieldsOf<N>> & { resource: string }>;

export type PanelClient = { readonly [N in ListName]: List<N> } & {
  readonly [N in ObjectName]: (options?: CallOptions) => Promise<ObjectData<N>>;
};
