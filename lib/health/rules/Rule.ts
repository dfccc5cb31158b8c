import type { Field, FieldKind } from '../../fields';
import { toAscii } from '../../fields/domainNames';
import { rawText } from '../../fields/raw';
import type { Finding } from '../../sources/findings';
import type { FieldPlan } from '../../sources/mapping/FieldPlan';
import type { Row } from '../../sources/Source';

/** A field of a list, and how its part of the list reads it. */
export interface CheckedField {
  readonly list: string;
  readonly name: string;
  readonly field: Field;
  readonly plan: FieldPlan;
  /** The names of the rows of all parts so far, and the plan of the part that has each first. */
  readonly names: Map<string, FieldPlan>;
}

/** Where a row of another list is looked up: in this list, by this field. */
export interface LookUp {
  readonly list: string;
  readonly by: string;
  /** The value to look up for a row. */
  readonly of: (item: Row) => unknown;
  /** In place of a row, how many rows with these words there are, as `rows`. */
  readonly counts?: Readonly<Record<string, string>>;
}

/** A field's value in a row, beside the raw values that it was read from. */
export interface CheckedValue {
  readonly value: unknown;
  readonly raws: readonly unknown[];
  /** The types of raw values that are read as null, because nothing reads these types. */
  readonly unread: readonly string[];
  /** The whole row, as it is answered. */
  readonly item: Row;
  /** The row that was looked up; null if there is none, and undefined if that is not known. */
  readonly other: Row | null | undefined;
}

/** Whether a row is doubtful; null if it says nothing. */
export type Test = (checked: CheckedValue) => boolean | null;

/** What the rows have shown about a field. */
export interface Tally {
  /** The rows that said something, and those of them that are doubtful. */
  readonly tested: number;
  readonly doubtful: number;
  /** Some of the doubtful values that may be shown. */
  readonly values: ReadonlySet<string>;
}

/** A kind of mistake that the values of a field show. */
export interface Rule {
  readonly code: string;
  /** Returns the test of the field's rows, or several with a tally each; null if the rule does not concern the field. */
  readonly testOf: (field: CheckedField) => Test | readonly Test[] | null;
  /** Where the other row is looked up; null if the field needs none. */
  readonly lookUp?: (field: CheckedField) => LookUp | null;
  /** Whether the rows show the mistake. Default: one doubtful row does. */
  readonly isFound?: (tally: Tally, field: CheckedField) => boolean;
  /** Whether an example shows what the column holds, or the type of it, and not what is answered. */
  readonly shows?: 'raw' | 'type';
  /** The rows that its tests say something about. Default: `rows`. */
  readonly rows?: string;
  /** What the rows show, such as `shows no word of the API`, and what to write instead. */
  readonly say: (field: CheckedField, tally: Tally) => readonly [problem: string, advice: string];
}

export function keyword({ plan }: CheckedField, name: string): unknown {
  return Object(plan.description)[name];
}

/** Whether a function of the panel's computes the value. */
export function isComputed(field: CheckedField): boolean {
  return keyword(field, 'from') !== undefined || keyword(field, 'compute') !== undefined;
}

/** A domain name as it is compared. */
export const nameOf = (name: unknown) => toAscii(String(name)).toLowerCase();

/** Whether a word is one of these, which blanks separate. */
export const isIn = (words: string, word: unknown) => words.split(' ').includes(String(word));

/** The test of these fields, each given as `list.field`, in the rows in which they have a value. */
export function on(places: string, test: (value: unknown, item: Row) => boolean | null): Rule['testOf'] {
  return ({ list, name }) =>
    isIn(places, `${list}.${name}`) ? ({ value, item }) => (value === null ? null : test(value, item)) : null;
}

/** Finds a mistake in more than this share of the rows, if there are so many. */
export function above(share: number, least = 1) {
  return ({ tested, doubtful }: Tally) => tested >= least && doubtful > share * tested;
}
/** How many rows must show a mistake that a few rows may show by chance. */
export const LEAST_ROWS = 3;

/** How many different values an example shows. */
export const MOST_SHOWN = 5;

const WORD = /^[\w .:/-]{1,24}$/;
const AMOUNT =
  /^-?\d{1,20}(?:[.,]\d{1,3})?\s?(?:[KMGTP]i?B?|B|bytes|s|sec|ms|m|min|h|d|days?)?$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:[ T]\d\d:\d\d[\d:+.Z]*)?$/i;

/** The values that may be shown. Those of other kinds of fields, and all other texts, may be confidential. */
const SHOWN: Readonly<Partial<Record<FieldKind, RegExp>>> = {
  word: WORD,
  flag: WORD,
  id: /^-?\d{1,20}$/,
  number: AMOUNT,
  bytes: AMOUNT,
  milliseconds: AMOUNT,
  time: AMOUNT,
};

/** Returns a value as an example shows it; null if it may be confidential. */
export function shownOf(
  { shows }: Rule,
  { field }: CheckedField,
  { value, raws, unread }: CheckedValue,
): string | null {
  if (shows === 'type') return unread[0] ?? null;
  const text = rawText(!shows ? value : raws.length === 1 ? raws[0] : null);
  return text !== null && SHOWN[field.kind]?.test(text) ? text : null;
}

/** The row is that of the first value, or the first that is doubtful if no value may be shown. */
export function findingOf(rule: Rule, checked: CheckedField, tally: Tally, row: string | null): Finding {
  const { name, field, plan } = checked;
  const [problem, advice] = rule.say(checked, tally);
  // A column of many words holds texts.
  const values = field.kind === 'word' && tally.values.size > MOST_SHOWN ? [] : [...tally.values];
  const [first, ...others] = values.slice(0, MOST_SHOWN).map((value) => `"${value}"`);
  const examples = [[first, row && `in the row ${row}`].filter(Boolean).join(' '), ...others].join(', ');
  const where = `in ${tally.doubtful} of ${tally.tested} ${rule.rows ?? 'rows'}${examples && `, such as ${examples}`}`;
  const columns = plan.columns.map((column) => column.name).join(', ');
  const sentence = `The field ${name}${columns && ` (column ${columns})`} ${problem} ${where}: ${advice}.`;
  return { code: rule.code, field: name, sentence };
}
