import type { Column } from '../database/columns';
import type { JsonSchema } from '../json/JsonSchema';

/** What a driver may hand over for one column. */
export type Raw = unknown;

/** A row as it was read, before anything is worked out from it. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** How a value is worked out from the other fields of its row. */
interface Derivation<T> {
  /** Fields that must be there for it. */
  readonly from: readonly string[];
  /** Whether it also replaces what a column of this name holds. */
  readonly always: boolean;
  readonly compute: (row: ReadRow, context: ReadContext) => T | null;
}

/**
 * One field, declared once: its meaning and JSON Schema, how a raw value is read, what stands in for a missing one.
 * The TypeScript type of the value is the type parameter.
 */
export interface Field<T = unknown> {
  /** What sort of value it is, which decides what a source may say of it. */
  readonly kind: FieldKind;
  /** JSON Schema of a value that is there; whoever shows it adds null where the field may be null. */
  readonly schema: JsonSchema;
  /** The schema for a given column, where that says more than `schema`. */
  readonly schemaOf?: (column: Column) => JsonSchema;
  /** Reads a raw value of the column, or of no column; null when it holds none. Must not throw. */
  readonly reader: (column?: Column) => (raw: Raw) => T | null;
  /** Why a column cannot supply the field at all, as the end of a sentence about the column. */
  readonly refuses?: (column: Column) => string | undefined;
  /** Always present and never null (`!` in the field list). */
  readonly required: boolean;
  /** What a required field says where the row holds null; without it such a row is an error. */
  readonly fallback?: T;
  /** What is said of a word that the panel's translation does not cover; without it, nothing. */
  readonly uncovered?: T;
  readonly derivation?: Derivation<T>;
  /** The API's own words, if a mapping may aim at no others; see `word`. */
  readonly words?: readonly string[];
  /** Whether clients may ask for certain values of it. */
  readonly filterable?: true;
  /** The list whose ids it holds. */
  readonly refersTo?: string;
}

export type FieldKind =
  | 'text'
  | 'word'
  | 'flag'
  | 'id'
  | 'number'
  | 'bytes'
  | 'milliseconds'
  | 'time'
  | 'list'
  | 'made';

type RequiredField<T = unknown> = Field<T> & { readonly required: true };

export type Fields = Readonly<Record<string, Field>>;

/** The TypeScript type of an object that always has all of these fields, null where they hold nothing. */
export type ObjectOf<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer T> ? (F[K] extends RequiredField ? T : T | null) : never;
};

/** The schema of a field's value, null included where it may be null. */
export function valueSchema(field: Field, column?: Column): JsonSchema {
  const schema = (column && field.schemaOf?.(column)) ?? field.schema;
  if (field.required || schema.type === 'array' || schema.type === undefined) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'].flat() };
}

/** A field whose raw values are read alike whatever the column's type. */
export function plainField<T>(
  kind: FieldKind,
  schema: JsonSchema,
  read: (raw: Raw) => T | null,
  fallback?: T,
): Field<T> {
  return {
    kind,
    schema,
    reader: () => read,
    required: false,
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** The field, worked out from others of its row where the panel has no column for it. */
export function derived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  return { ...field, derivation: { from, compute, always: false } };
}

/** The field, worked out from the row whether the panel has a column for it or not. */
export function alwaysDerived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  // What a client sees of it is in no column, so none can be searched for it.
  const { filterable: _, ...rest } = field;
  return { ...rest, derivation: { from, compute, always: true } };
}

/** The field, open to filters: clients may ask for the rows that hold certain values of it. */
export function filterable<F extends Field>(field: F): F {
  return { ...field, filterable: true };
}

/** The field, always present and never null. */
export function required<F extends Field>(field: F): F & { readonly required: true } {
  return { ...field, required: true };
}

/** The field that is the key of a list: its first. */
export function keyName(fields: Fields): string {
  const [name] = Object.keys(fields);
  if (name === undefined) throw new Error('A list needs a field.');
  return name;
}

/** Of more values than this none is likely to come again before it is forgotten. */
const MOST_VALUES = 4096;

/** What is known while the rows of one answer are read: what is worked out from them belongs to it alone. */
export interface ReadContext {
  readonly now: Date;
  /** The result of `create`, which is called once for all rows that ask by the same key. */
  once<T>(key: string, create: () => T): T;
  /** The result of `create`, kept until another key is asked for: for fields of the same row. */
  latest<T>(key: unknown, create: () => T): T;
}

export function createReadContext(now = new Date()): ReadContext {
  const created = new Map<string, unknown>();
  let latest: { readonly key: unknown; readonly value: unknown } | undefined;
  return {
    now,
    once<T>(key: string, create: () => T): T {
      if (created.has(key)) return created.get(key) as T;
      if (created.size >= MOST_VALUES) created.clear();
      const value = create();
      created.set(key, value);
      return value;
    },
    latest<T>(key: unknown, create: () => T): T {
      if (latest === undefined || latest.key !== key) latest = { key, value: create() };
      return latest.value as T;
    },
  };
}
