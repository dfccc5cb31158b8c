import type { Column } from '../database/Column';
import type { JsonSchema } from '../json/JsonSchema';
import type { Moment } from './Moment';

/** What a driver may hand over for one column. */
export type Raw = unknown;

/** A row as it was read, before anything is worked out from it. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** How a value is worked out from the other fields of its row. */
export interface Derivation<T> {
  /** Fields that must be there for it. */
  readonly from: readonly string[];
  /** Whether it also replaces what a column of this name holds. */
  readonly always: boolean;
  readonly compute: (row: ReadRow, moment: Moment) => T | null;
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

export type RequiredField<T = unknown> = Field<T> & { readonly required: true };

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
