import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import type { FieldReading, Finding, FindingCode } from '../../sources/findings';
import type { Row } from '../../sources/Source';

/** A field of a list, and how its part of the list reads it. */
export interface CheckedField {
  readonly list: string;
  readonly name: string;
  readonly field: Field;
  readonly reading: FieldReading;
}

/** A field's value in a row, beside the raw values that it was read from. */
export interface CheckedValue {
  readonly value: unknown;
  readonly raws: readonly unknown[];
  /** The whole row, as it is answered. */
  readonly item: Row;
}

/** Whether a row is doubtful; null if it says nothing. */
export type Test = (checked: CheckedValue) => boolean | null;

/** What the rows have shown about a field. */
export interface Tally {
  /** The rows that said something, and those of them that are doubtful. */
  readonly tested: number;
  readonly doubtful: number;
  /** Some of the doubtful values, as text. None may be confidential. */
  readonly values: ReadonlySet<string>;
}

/** A kind of mistake that the values of a field show. */
export interface Rule {
  readonly code: FindingCode;
  /** Returns the tests of the field's rows, each with its own tally; none if the rule does not concern the field. */
  readonly testOf: (field: CheckedField) => readonly Test[];
  /** Whether the rows show the mistake. Default: one doubtful row does. */
  readonly isFound?: (tally: Tally) => boolean;
  /** Returns a doubtful value that may be shown; null for none. */
  readonly shown?: (checked: CheckedValue) => string | null;
  /** What the rows show, such as `shows no word of the API`, and what to write instead. */
  readonly say: (field: CheckedField, tally: Tally) => readonly [problem: string, advice: string];
}

/** The keyword of the description. */
export function keyword({ reading }: Pick<CheckedField, 'reading'>, name: string): unknown {
  return Object(reading.description)[name];
}

/** Whether a function of the panel's computes the value, which then has no raw value of its own. */
export function isComputed(field: CheckedField): boolean {
  return keyword(field, 'from') !== undefined || keyword(field, 'compute') !== undefined;
}

/** Returns the text of the raw value of a field of one column; null if it is empty. */
export function textOf({ raws: [raw] }: CheckedValue): string | null {
  return rawText(raw)?.trim() || null;
}

function columnsOf({ reading: { columns } }: CheckedField): string {
  return columns.length === 0 ? '' : ` (column ${columns.map(({ name }) => name).join(', ')})`;
}

export function findingOf(
  { code, say }: Pick<Rule, 'code' | 'say'>,
  field: CheckedField,
  tally: Tally,
  row: string | null,
): Finding {
  const [problem, advice] = say(field, tally);
  const values = [...tally.values].map((value) => `"${value}"`).join(', ');
  const example = [values, row && `in the row ${row}`].filter(Boolean).join(' ');
  const where = `in ${tally.doubtful} of ${tally.tested} rows${example && `, such as ${example}`}`;
  const sentence = `The field ${field.name}${columnsOf(field)} ${problem} ${where}: ${advice}.`;
  return { code, field: field.name, sentence };
}
