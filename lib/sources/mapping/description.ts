import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { FieldKind } from '../../fields/Field';
import type { Integer } from '../../fields/raw';
import { type Check, must, orSeveral } from '../checks';
import type { Absent, FieldParts, FieldPlan } from './FieldPlan';

// What all kinds of descriptions share.

/**
 * A column's value as functions receive it, the same for every database: a whole number (a bigint beyond 2^53) from a
 * column of whole numbers, 1 or 0 from a boolean, RFC 3339 text from a time, otherwise text; null for NULL.
 */
export type RawValue = Integer | string | null;

export type ValueOf<F extends Field> = F extends Field<infer T> ? T : never;

/** A value that a mapping may map to: one of the field's words, or any value of its type if it has no words. */
export type Mapped<F extends Field> = F extends { readonly words: readonly (infer W)[] } ? W : ValueOf<F>;

/** `Keyword` for fields with values of type `T` and for fields of unknown type; never for other fields. */
export type Only<F extends Field, T, Keyword> =
  unknown extends ValueOf<F> ? Keyword : ValueOf<F> extends T ? Keyword : never;

/** A field with its description in the mount options. */
export interface Described {
  readonly field: Field;
  /** Checks the part of a list that an id refers to. */
  readonly checkPart: Check;
}

/** A kind of description: how it is checked, which columns it names, and how the field is read. */
export interface DescriptionKind<Source> {
  /** Whether the key of a list may have such a description. */
  readonly mayBeKey: boolean;
  readonly check: (described: Described) => Check;
  /** Returns the columns that the description of this field names. */
  readonly references: (source: Source, name: string) => readonly string[];
  readonly plan: (parts: FieldParts, source: Source) => FieldPlan | Absent;
}

/** A way to read a column's values, chosen by its keywords. */
export interface ColumnReading<Keywords> {
  /** The check of each keyword; none if the field cannot be read in this way. */
  readonly keywords: (field: Field) => Readonly<Record<string, Check>>;
  readonly isAsked: (source: Keywords, field: Field) => boolean;
  readonly plan: (
    parts: { readonly field: Field; readonly column: Column; readonly isKey: boolean },
    source: Keywords,
  ) => ReadingPlan;
}

/** How a column is read. */
export interface ReadingPlan extends Pick<FieldPlan, 'words' | 'range' | 'search'> {
  readonly read: (raw: unknown) => unknown;
  /** What a whole number of the column is multiplied by, for sizes. */
  readonly factor?: number;
  /** The column as it is read and compared, if that differs from the live one. */
  readonly column?: Column;
  /** The column whose values the field shows. Default: that column; null if the field shows other values. */
  readonly shown?: Column | null;
  /** Returns the column's words for a filter; null if the field cannot be filtered. Default: the same words. */
  readonly asked?: AskedWords | null;
  /** The panel's words that the description names, except those that mean null. */
  readonly named?: readonly string[];
  /** Whether the column should contain no other words. */
  readonly namesAll?: boolean;
  /** Why the column cannot supply the field, as the end of a sentence; null if it can. Default: the field decides. */
  readonly refused?: string | null;
}

/** Returns the words with which a row can match; with `none`, also those for which the field is null. */
export type AskedWords = (
  wanted: ReadonlySet<string>,
  none: boolean,
) => {
  /** The column must contain one of them; if `negated`, none of them. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL matches. */
  readonly orNull?: boolean;
};

/** Whether a filter includes a value of a field; with `none`, null too. */
export function isWanted(value: unknown, wanted: ReadonlySet<string>, none: boolean): boolean {
  return value === null ? none : wanted.has(String(value));
}

/** Keywords that only fields of one kind have. */
export function onlyFor(
  kind: FieldKind,
  keywords: Readonly<Record<string, Check>>,
): ColumnReading<never>['keywords'] {
  return (field) => (field.kind === kind ? keywords : {});
}

/** Whether a value can be a column's name. knex would read one with ` as ` in it as an alias. */
export const isColumnName = (value: unknown): boolean =>
  typeof value === 'string' && /^(?!.*\s[aA][sS]\s).*\S.*$/.test(value);

export const aColumn = must('must be the name of a column', isColumnName);

const isSentinel = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

/** Checks column values that have the same meaning. */
export const sentinels = orSeveral(
  must('must be a string, a number or a boolean, or an array of these', isSentinel),
);

/** Checks a column's values in a case; null stands for NULL. */
export const held = orSeveral(
  must(
    'must be a string, a number, a boolean or null, or an array of these',
    (value) => value === null || isSentinel(value),
  ),
);

const TYPES = {
  'a string': (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
  'a whole number': (value: unknown) => typeof value === 'bigint' || Number.isInteger(value),
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'an array of strings': (value: unknown) => Array.isArray(value) && value.every(TYPES['a string']),
} as const;

/** The types of the values that a field can be described with, as a constant or in a mapping. */
const TYPES_OF: Readonly<Record<FieldKind, readonly (keyof typeof TYPES)[]>> = {
  text: ['a string'],
  word: ['a string'],
  flag: ['a boolean'],
  id: ['a whole number', 'a string'],
  number: ['a number'],
  bytes: ['a number'],
  milliseconds: ['a number'],
  time: ['a string'],
  list: ['an array of strings'],
  any: ['a string', 'a number', 'a boolean', 'an array of strings'],
};

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** Checks a value that the field can have, or null. */
export function mappedValue({ kind }: Field, mayBeNull = true): Check {
  const types = TYPES_OF[kind];
  return must(
    `must be ${either.format([...types, ...(mayBeNull ? ['null'] : [])])}`,
    (value) => (mayBeNull && value === null) || types.some((type) => TYPES[type](value)),
  );
}
