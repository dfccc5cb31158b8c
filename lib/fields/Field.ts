import type { Bounds, Column } from '../database/columns';
import { closedSchema, type JsonSchema } from '../json/json';

/**
 * One field, declared once: its description and JSON Schema, how a raw value is read, and the fallback for a missing
 * one. The type parameters are the TypeScript type of its values, and their kind.
 */
export interface Field<T = unknown, K extends FieldKind = FieldKind> {
  /** The kind of its values. It decides how a source may describe the field. */
  readonly kind: K;
  /** The JSON Schema of a value that is not null; see `valueSchema`. */
  readonly schema: JsonSchema;
  /** The schema for a certain column, if it is narrower than `schema`. */
  readonly schemaOf?: (column: Column) => JsonSchema;
  /** Reads a raw value of the column, or of no column. Returns null if there is no value. Must not throw. */
  readonly reader: (column?: Column) => (raw: unknown) => T | null;
  /** Why the column cannot supply the field, as the end of a sentence. */
  readonly refuses?: (column: Column) => string | undefined;
  /** Always present and never null (`!` in the list of fields), for a field of a list. */
  readonly required: boolean;
  /** Whether it may be null, for a field of an object. */
  readonly nullable?: true;
  /** The value of a required field if the row contains null. Without it, such a row is an error. */
  readonly fallback?: T;
  /** The value for unmapped words. Default: null. */
  readonly unmapped?: T;
  readonly derivation?: Derivation<T>;
  /** The API's words, if a mapping may only use these; see `word`. */
  readonly words?: readonly string[];
  /** Whether clients may filter by it. */
  readonly filterable?: true;
  /** Whether it is a name, of which clients can search for the beginning. */
  readonly searchable?: true;
  readonly form?: TextForm;
  /** Whether it is the time when something ends: a day means its last second. */
  readonly isExpiry?: true;
  /** Whether its column may hold secrets, so that only a part of it is shown. */
  readonly isMasked?: true;
  /** The list that its ids refer to. */
  readonly refersTo?: string;
}

/** A form that a field's texts, or the members of its list, have. No reader requires it; a check finds other texts. */
export interface TextForm {
  readonly code: string;
  /** The end of `is no …`. */
  readonly name: string;
  readonly has: (text: string) => boolean;
  /** Whether it is a domain name or an address at one, which clients find in either of its spellings. */
  readonly isDomain?: true;
}

/** A row as read, before fields are computed from it. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** How a field is computed from other fields of its row. */
interface Derivation<T> {
  /** The fields that it requires from the panel. */
  readonly from: readonly string[];
  /** Whether it is computed even if the panel has a column for it. */
  readonly always: boolean;
  readonly compute: (row: ReadRow, context: ReadContext) => T | null;
  /** The range of the first of these fields that a range of this one means at this time, or a wider one. */
  readonly inputRange?: InputRange;
}

type InputRange = (range: Bounds, now: Date) => Bounds<number>;

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

/** The kinds of fields whose values have an order that clients may ask for. */
export const HAVE_RANGES: ReadonlySet<FieldKind> = new Set(['time', 'number', 'bytes', 'milliseconds']);

export type Fields = Readonly<Record<string, Field>>;

/** The TypeScript type of an object with exactly these fields. */
export type ObjectOf<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer T> ? (F[K] extends { nullable: true } ? T | null : T) : never;
};

/** The schema of a field's value, including null if it may be null. */
export function valueSchema(field: Field, column?: Column): JsonSchema {
  const schema = (column && field.schemaOf?.(column)) ?? field.schema;
  if (field.required || schema.type === 'array' || schema.type === undefined) return schema;
  const values = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {};
  return { ...schema, ...values, type: [schema.type, 'null'].flat() };
}

/** A field whose raw values are read in the same way from every column type. */
export function plainField<T, K extends FieldKind>(
  kind: K,
  schema: JsonSchema,
  read: (raw: unknown) => T | null,
  fallback?: T,
): Field<T, K> {
  return {
    kind,
    schema,
    reader: () => read,
    required: false,
    ...(fallback === undefined ? {} : { fallback }),
  };
}

/** The field, computed from others if the panel has no column for it. */
export function derived<T, F extends Field<T>>(
  field: F & Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
  inputRange?: InputRange,
): F {
  return { ...field, derivation: { from, compute, always: false, ...(inputRange && { inputRange }) } };
}

/** The field, always computed from others, even if the panel has a column for it. */
export function alwaysDerived<T>(
  field: Field<T>,
  from: readonly string[],
  compute: Derivation<T>['compute'],
): Field<T> {
  // Clients see a computed value, so no column can be searched for it.
  const { filterable: _, ...rest } = field;
  return { ...rest, derivation: { from, compute, always: true } };
}

export type Filterable<F extends Field> = F & { readonly filterable: true };

/** The field, searchable: it is a name, and clients can search for its beginning. */
export function searchable<F extends Field>(field: F): F {
  return { ...field, searchable: true };
}

/** The field, filterable: clients may request only rows with certain values. */
export function filterable<F extends Field>(field: F): Filterable<F> {
  return { ...field, filterable: true };
}

/** The field, masked: its column may hold secrets, of which the module shows none. */
export function masked<F extends Field>(field: F): F {
  return { ...field, isMasked: true };
}

/** The field of a list, always present and never null. */
export function required<F extends Field>(field: F): F & { readonly required: true } {
  return { ...field, required: true };
}

/** The field of an object, which may be null. */
export function nullable<F extends Field>(field: F): F & { readonly nullable: true } {
  return { ...field, nullable: true };
}

/** The field that is a list's key, and its first. */
export function keyName(fields: Fields): string {
  const [name] = Object.keys(fields);
  if (name === undefined) throw new Error('A list needs a field.');
  return name;
}

/** Values that are computed from the rows of one answer. They are not shared with other answers. */
export interface ReadContext {
  readonly now: Date;
  /** Returns `compute()`, called once per purpose and key for all fields and rows. */
  once<T>(purpose: string, key: string, compute: () => T): T;
}

/** The most results that `once` keeps. With more keys, few would be used again in time. */
const MOST_RESULTS = 4096;

export function createReadContext(): ReadContext {
  const results = new Map<string, unknown>();
  return {
    now: new Date(),
    once<T>(purpose: string, key: string, compute: () => T): T {
      const name = `${purpose} ${key}`;
      if (results.has(name)) return results.get(name) as T;
      if (results.size >= MOST_RESULTS) results.clear();
      const value = compute();
      results.set(name, value);
      return value;
    },
  };
}

/** The schema of a field of an object. */
export function memberSchema(field: Field): JsonSchema {
  return valueSchema({ ...field, required: !field.nullable });
}

/** The JSON Schema of an object with exactly these fields, each always present. */
export function objectSchema(fields: Fields) {
  const properties = Object.entries(fields).map(([name, field]) => [name, memberSchema(field)]);
  return closedSchema(Object.fromEntries(properties));
}

/** A nested object. The module creates it; no column contains it. */
export function object<F extends Fields>(description: string, fields: F): Field<ObjectOf<F>> {
  return plainField('any', { ...objectSchema(fields), description }, (): ObjectOf<F> | null => null);
}

export function listOf<T>(description: string, field: Field<T>): Field<readonly T[]> {
  return plainField(
    'any',
    { type: 'array', items: valueSchema({ ...field, required: true }), description },
    (): readonly T[] | null => null,
  );
}

/** An object whose members are defined by another standard. */
export function anyObject(description: string): Field<object> {
  return plainField('any', { type: 'object', description }, (): object | null => null);
}
