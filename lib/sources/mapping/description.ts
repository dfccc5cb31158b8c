import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { FieldKind } from '../../fields/Field';
import type { Integer } from '../../fields/raw';
import { type Check, must, orSeveral } from '../checks';
import type { Absent, FieldParts, FieldPlan } from './FieldPlan';

// The parts that all kinds of descriptions of a field share.

/**
 * A value of a column as a function receives it, the same for every database: a whole number from a column of whole
 * numbers (a bigint beyond 2^53), 1 or 0 from one of booleans, RFC 3339 text from one of times, otherwise text; null if
 * the column is NULL.
 */
export type RawValue = Integer | string | null;

export type ValueOf<F extends Field> = F extends Field<infer T> ? T : never;

/** A value that a mapping may map to: one of the field's words if it has some, or else any value of its type. */
export type Mapped<F extends Field> = F extends { readonly words: readonly (infer W)[] } ? W : ValueOf<F>;

/** The keyword's type for fields with values of type `T`, and for a field of an unknown type; never for others. */
export type Only<F extends Field, T, Keyword> =
  unknown extends ValueOf<F> ? Keyword : ValueOf<F> extends T ? Keyword : never;

/** A field that is described at the mount. */
export interface Described {
  readonly field: Field;
  /** Checks the part of its list that an id names. */
  readonly checkPart: Check;
}

/** A kind of description: how it is checked, which columns it names and how it is read. */
export interface DescriptionKind<Source> {
  /** Whether the key of a list may have a description of this kind. */
  readonly mayBeKey: boolean;
  readonly check: (described: Described) => Check;
  /** The columns that a description of the field of this name refers to. */
  readonly references: (source: Source, name: string) => readonly string[];
  readonly plan: (parts: FieldParts, source: Source) => FieldPlan | Absent;
}

/** A way to read the values of one column, chosen by its keywords. */
export interface ColumnReading<Keywords> {
  /** The check of each of its keywords; none for a field that cannot be read in this way. */
  readonly keywords: (field: Field) => Readonly<Record<string, Check>>;
  readonly isAsked: (source: Keywords, field: Field) => boolean;
  readonly plan: (
    parts: { readonly field: Field; readonly column: Column; readonly isKey: boolean },
    source: Keywords,
  ) => ReadingPlan;
}

/** How a column is read, and what else follows from the keywords. */
export interface ReadingPlan extends Pick<FieldPlan, 'words' | 'changes'> {
  readonly read: (raw: unknown) => unknown;
  /** The column as it is read and compared, if that differs from the live one. */
  readonly column?: Column;
  /** The column whose values the field shows, if it is not that one; null if the field shows other values. */
  readonly shown?: Column | null;
  /** The words of the column for the values of a filter; null if it cannot be filtered. Default: the same words. */
  readonly asked?: AskedWords | null;
  /** The words of the panel that the description names, except those that mean "none". */
  readonly named?: readonly string[];
  /** Whether the column should hold no other words. */
  readonly namesAll?: boolean;
  /** Why the column cannot supply the field, as the end of a sentence; null if it can. Default: the field decides. */
  readonly refused?: string | null;
}

/** Returns the words with which a row may pass; with `none`, also those with which the field is null. */
export type AskedWords = (
  wanted: ReadonlySet<string>,
  none: boolean,
) => {
  /** The column must hold one of them, or with `negated` none of them. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL reads as a value that passes. */
  readonly orNull?: boolean;
};

/** Whether a filter asks for a value of a field; with `none`, also for null. */
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

/** Whether a value can be a column's name. One with ` as ` in it would be an alias to knex. */
export const isColumnName = (value: unknown): boolean =>
  typeof value === 'string' && /^(?!.*\s[aA][sS]\s).*\S.*$/.test(value);

export const aColumn = must("must be a column's name", isColumnName);

const isSentinel = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

/** Checks values of a column that have one meaning. */
export const sentinels = orSeveral(
  must('must be text, a number or a boolean, or a list of them', isSentinel),
);

/** Checks the values of a column in a case; null stands for NULL. */
export const held = orSeveral(
  must(
    'must be text, a number, a boolean or null, or a list of them',
    (value) => value === null || isSentinel(value),
  ),
);

const TYPES = {
  text: (value: unknown) => typeof value === 'string',
  'a number': (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
  'a whole number': (value: unknown) => typeof value === 'bigint' || Number.isInteger(value),
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a list of texts': (value: unknown) => Array.isArray(value) && value.every(TYPES.text),
} as const;

/** The types of a value that a description gives a field, as a constant or a translation. */
const TYPES_OF: Readonly<Record<FieldKind, readonly (keyof typeof TYPES)[]>> = {
  text: ['text'],
  word: ['text'],
  flag: ['a boolean'],
  id: ['a whole number', 'text'],
  number: ['a number'],
  bytes: ['a number'],
  milliseconds: ['a number'],
  time: ['text'],
  list: ['a list of texts'],
  any: ['text', 'a number', 'a boolean', 'a list of texts'],
};

const either = new Intl.ListFormat('en', { type: 'disjunction' });

/** Checks a value that the field may have, or null. */
export function mappedValue({ kind }: Field, mayBeNull = true): Check {
  const types = TYPES_OF[kind];
  return must(
    `must be ${either.format([...types, ...(mayBeNull ? ['null'] : [])])}`,
    (value) => (mayBeNull && value === null) || types.some((type) => TYPES[type](value)),
  );
}
