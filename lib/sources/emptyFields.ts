import { rawText } from '../fields/raw';
import { cell } from './plan/cell';
import type { PlannedField, RawRow, RowPlan } from './plan/RowPlan';

/** Texts and numbers that many panels store to say "none": blanks, zeros, zero dates, what is below zero. */
const NONE = /^(?:[\s0:.+-]*|-.*|infinity)$/i;

/**
 * Says which fields are null in all of these rows although at least `least` of them hold something in a column of the
 * field, so that its description is likely to be wrong.
 */
export function emptyFields(plan: RowPlan, rows: readonly RawRow[], least: number): readonly string[] {
  return plan.fields.flatMap((field) => {
    const { inputs = [], name } = field;
    const positions = inputs.map(({ position }) => position);
    const held = rows.filter((row) => inputs.some(({ position, isNone }) => holds(row, position, isNone)));
    if (held.length < least || !held.every((row) => readsNothing(field, row))) return [];
    const columns = positions.map((position) => plan.columns[position]?.name).join(', ');
    const place = `the column${positions.length > 1 ? 's' : ''} ${columns}`;
    return `The field ${name} is null in every row that was looked at, but ${place} holds values: correct its description.`;
  });
}

function holds(row: RawRow, position: number, isNone: (raw: unknown) => boolean): boolean {
  const raw = row[cell(position)];
  const text = rawText(raw);
  return text !== null && !NONE.test(text) && !isNone(raw);
}

// A function that throws is told of elsewhere.
function readsNothing({ read }: PlannedField, row: RawRow): boolean {
  try {
    return (read(row) ?? null) === null;
  } catch {
    return false;
  }
}
