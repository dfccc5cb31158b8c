import type { Column } from '../../database/columns';
import type { Field } from '../../fields';
import type { FieldKind } from '../../fields/Field';
import type { Integer } from '../../fields/raw';
import { type Check, must, orSeveral } from '../checks';
import type { Absent, FieldParts, FieldPlan } from './FieldPlan';

// What all kinds of descriptions of a field are made of.

/**
 * A value of a column as a function gets it, whatever the database: a whole number from a column of whole numbers (a
 * bigint beyond 2^53), 1 or 0 from one of booleans, RFC 3339 text from one of times, otherwise text; null if the
 * column is NULL.
 */
export type RawValue = Integer | string | null;

export type ValueOf<F extends Field> = F extends Field<infer T> ? T : never;

/** What a mapping may say of a field: one of its words, or else any value of its type. */
export type Mapped<F extends Field> = F extends { readonly words: readonly (infer W)[] } ? W : ValueOf<F>;

/** What may be said of fields whose values are of this type, and of a field of an unknown type. */
export type Only<F extends Field, T, Said> =
  unknown extends ValueOf<F> ? Said : ValueOf<F> extends T ? Said : never;

/** A field that is described at the mount. */
export interface Described {
  readonly field: Field;
  /** Looks at the part of its list that an id names. */
  readonly checkPart: Check;
}

/** A kind of description: how it is checked, which columns it names and how it is read. */
export interface DescriptionKind<Source> {
  /** Whether the key of a list may be described so. */
  readonly mayBeKey: boolean;
  readonly check: (described: Described) => Check;
  /** The columns that a description of the field of this name refers to. */
  readonly references: (source: Source, name: string) => readonly string[];
  readonly plan: (parts: FieldParts, source: Source) => FieldPlan | Absent;
}

/** A way of reading the values of one column, which its keywords ask for. */
export interface ColumnReading<Keywords> {
  /** What looks at each of its keywords; none for a field that is never read so. */
  readonly keywords: (field: Field) => Readonly<Record<string, Check>>;
  readonly isAsked: (source: Keywords, field: Field) => boolean;
  readonly plan: (
    parts: { readonly field: Field; readonly column: Column; readonly isKey: boolean },
    source: Keywords,
  ) => ReadingPlan;
}

/** How a reading reads a column, and what else follows from its keywords. */
export interface ReadingPlan extends Pick<FieldPlan, 'words' | 'changes'> {
  readonly read: (raw: unknown) => unknown;
  /** The column as it is read and compared, if that is not as it was found. */
  readonly column?: Column;
  /** The column whose values the field shows, if not that one; null if it shows others. */
  readonly shown?: Column | null;
  /** Which words of the column a filter asks for; without it, those of the field. Null if it cannot be filtered. */
  readonly asked?: AskedWords | null;
  /** The words of the panel that the description names, beside those that mean "none". */
  readonly named?: readonly string[];
  /** Whether the column should hold no others. */
  readonly namesAll?: boolean;
  /** Why the column cannot supply the field, as the end of a sentence; null if it can. Without it, the field decides. */
  readonly refused?: string | null;
}

/** The words under which a row may pass; with `none`, those under which the field holds nothing are among them. */
export type AskedWords = (
  wanted: ReadonlySet<string>,
  none: boolean,
) => {
  /** What the column must hold, or with `negated` must not hold. */
  readonly words: readonly string[];
  readonly negated: boolean;
  /** Whether NULL reads as a value that passes. */
  readonly orNull?: boolean;
};

/** Whether a filter asks for what a field says; with `none`, also for a field that holds nothing. */
export function isWanted(said: unknown, wanted: ReadonlySet<string>, none: boolean): boolean {
  return said === null ? none : wanted.has(String(said));
}

/** Keywords that only fields of one kind have. */
export function onlyFor(
  kind: FieldKind,
  keywords: Readonly<Record<string, Check>>,
): ColumnReading<never>['keywords'] {
  return (field) => (field.kind === kind ? keywords : {});
}

/** The name of a column. knex would read an alias out of one with `as` in it. */
export const isColumnName = (value: unknown): boolean =>
  typeof value === 'string' && /^(?!.*\s[aA][sS]\s).*\S.*$/.test(value);

export const aColumn = must("must be a column's name", isColumnName);

const isSentinel = (value: unknown): boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

/** What a column holds to say one thing. */
export const sentinels = orSeveral(
  must('must be text, a number or a boolean, or a list of them', isSentinel),
);

/** What a column holds in a case; null means that it is NULL. */
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

/** The types of what may be said of a field by itself, as a constant or a translation. */
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

/** A value that the field may have, or null for none. */
export function mappedValue({ kind }: Field, mayBeNull = true): Check {
  const types = TYPES_OF[kind];
  return must(
    `must be ${either.format([...types, ...(mayBeNull ? ['null'] : [])])}`,
    (value) => (mayBeNull && value === null) || types.some((type) => TYPES[type](value)),
  );
}
