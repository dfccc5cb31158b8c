import type { Column } from '../database/columns';
import type { JsonSchema } from '../json/json';

/**
 * One field, declared once: its meaning and JSON Schema, how a raw value is read, what replaces a missing one.
 * The TypeScript type of the value is the type parameter.
 */
export interface Field<T = unknown> {
  /** The kind of its values, which decides how a source may describe it. */
  readonly kind: FieldKind;
  /** JSON Schema of a value that is not null; see `valueSchema`. */
  readonly schema: JsonSchema;
  /** The schema for a given column, if that says more than `schema`. */
  readonly schemaOf?: (column: Column) => JsonSchema;
  /** Reads a raw value of the column, or of no column; returns null if it holds none. Must not throw. */
  readonly reader: (column?: Column) => (raw: Raw) => T | null;
  /** Why a column cannot supply the field at all, as the end of a sentence about the column. */
  readonly refuses?: (column: Column) => string | undefined;
  /** Always present and never null (`!` in the field list). */
  readonly required: boolean;
  /** The value of a required field if the row holds null; without it such a row is an error. */
  readonly fallback?: T;
  /** The value for a word that the panel's mapping does not cover; without it, null. */
  readonly unmapped?: T;
  readonly derivation?: Derivation<T>;
  /** The API's own words, if a mapping may aim at no others; see `word`. */
  readonly words?: readonly string[];
  /** Whether clients may ask for certain values of it. */
  readonly filterable?: true;
  /** The list whose ids it holds. */
  readonly refersTo?: string;
}

/** What a driver may return for one column. */
export type Raw = unknown;

/** A row as it was read, before values are computed from it. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** How a value is computed from the other fields of its row. */
interface Derivation<T> {
  /** Fields that the panel must supply for it. */
  readonly from: readonly string[];
  /** Whether it also replaces the value of a column of this name. */
  readonly always: boolean;
  readonly compute: (row: ReadRow, context: ReadContext) => T | null;
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
  | 'any';

export type Fields = Readonly<Record<string, Field>>;

/** The TypeScript type of an object that always has all of these fields, null for one without a value. */
export type ObjectOf<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer T> ? (F[K] extends { required: true } ? T : T | null) : never;
};

/** The schema of a field's value, null included if it may be null. */
export function valueSchema(field: Field, column?: Column): JsonSchema {
  const schema = (column && field.schemaOf?.(column)) ?? field.schema;
  if (field.required || schema.type === 'array' || schema.type === undefined) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'].flat() };
}

/** A field whose raw values are read alike for every type of column. */
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

/** The field, computed from others of its row if the panel has no column for it. */
export function derived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  return { ...field, derivation: { from, compute, always: false } };
}

/** The field, computed from the row whether the panel has a column for it or not. */
export function alwaysDerived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  // No column holds the value that a client sees, so none can be searched for it.
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

/** What the rows of one answer are read with: values that are computed from them belong to that answer alone. */
export interface ReadContext {
  readonly now: Date;
  /** The result of `compute`, computed once for all rows that use the same key. */
  once<T>(key: string, compute: () => T): T;
  /** The result of `compute`, kept until another key is used: for fields of the same row. */
  latest<T>(key: unknown, compute: () => T): T;
}

/** The most results that `once` keeps: with more, none is likely to be used again before it is forgotten. */
const MOST_RESULTS = 4096;

export function createReadContext(): ReadContext {
  const results = new Map<string, unknown>();
  let latest: { readonly key: unknown; readonly value: unknown } | undefined;
  return {
    now: new Date(),
    once<T>(key: string, compute: () => T): T {
      if (results.has(key)) return results.get(key) as T;
      if (results.size >= MOST_RESULTS) results.clear();
      const value = compute();
      results.set(key, value);
      return value;
    },
    latest<T>(key: unknown, compute: () => T): T {
      if (latest === undefined || latest.key !== key) latest = { key, value: compute() };
      return latest.value as T;
    },
  };
}
