import { type Column, isTimeColumn } from '../database/columns';
import type { Field } from '../fields';
import { rawText } from '../fields/raw';
import { readColumnTime } from '../fields/times';
import { toJson } from '../json/json';
import { containsCredential, HIDDEN, looksLikeCredential } from '../masking/credentials';
import type { FieldPlan } from '../sources/mapping/FieldPlan';
import { wholeSeconds } from '../time/time';
import type { TracedRow } from './RowsReader';

/** How the fields of a list are read, by their names. */
type FieldPlans = Readonly<Record<string, FieldPlan>>;

/** Returns the row of these that shows most of a field: that answers a value, or whose columns hold one. */
export function tellingRow(name: string, rows: readonly TracedRow[], plans: FieldPlans): TracedRow {
  const { columns = [] } = plans[name] ?? {};
  const hasValue = ({ raw, item }: TracedRow) =>
    columns.length > 0 ? columns.some(({ cell }) => rawText(raw[cell]) !== null) : item[name] !== null;
  const answers = (row: TracedRow) => hasValue(row) && !/^(?:null|\[\])?$/.test(textOf(row.item[name]));
  return (rows.find(answers) ?? rows.find(hasValue) ?? rows[0]) as TracedRow;
}

/** Returns the values of a field's columns in a row as texts, with `…` in place of each that must not be seen. */
export function rawTexts(
  name: string,
  { item, raw }: TracedRow,
  plans: FieldPlans,
): readonly (string | null)[] {
  const { columns = [], field, derivedFrom } = plans[name] ?? {};
  const answered = textOf(item[name]);
  const masked = Object.values(plans).filter((plan) => plan.field.derivation?.always);
  const maskedColumns = new Set(masked.flatMap((plan) => plan.columns.map((column) => column.name)));
  return columns.map((column) => {
    const text = columnText(column, raw[column.cell]);
    if (text === null || text === answered) return text;
    const isHidden =
      maskedColumns.has(column.name) ||
      answered.includes(HIDDEN) ||
      text.length > LONGEST_RAW ||
      looksLikeCredential(column.name) ||
      // An id is no secret, also if a number is derived from it.
      (!derivedFrom && containsCredential(text)) ||
      isUnanswered(text, answered, field);
    return isHidden ? HIDDEN : text;
  });
}

/** A raw value as text. A time that is selected as a number is RFC 3339. */
function columnText(column: Column, raw: unknown): string | null {
  const text = rawText(raw);
  const isSeconds = isTimeColumn(column) && Number.isFinite(Number(text ?? Number.NaN));
  return isSeconds ? wholeSeconds(readColumnTime(raw)) : text;
}

const LONGEST_RAW = 200;

/** Whether a free text contains words, other than a number, that the answer leaves out. */
function isUnanswered(raw: string, answered: string, field: Field | undefined): boolean {
  if (!/^(?:text|list|any)$/.test(field?.kind ?? 'any') || /^-?\d{1,10}$/.test(raw)) return false;
  return !raw.split(/[\s,;|]+/).every((word) => answered.includes(word));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : toJson(value ?? null));
