import type { Field, Fields } from '../fields';
import type { RowPlan } from './planRows';
import type { Row } from './Source';
import { UnreadableRow } from './UnreadableRow';

/** Makes an item of a raw row, whose values stand under `c0`, `c1` … in the plan's order of columns. */
export function readRow(fields: Fields, plan: RowPlan, raw: Row, now: Date): Row {
  const read: Record<string, unknown> = {};
  plan.columns.forEach((column, index) => {
    read[column.field] = column.read(raw[`c${index}`]);
  });
  const item: Record<string, unknown> = {};
  for (const name of plan.fields) item[name] = settle(name, fields[name] as Field, read, now);
  return item;
}

function settle(name: string, { derivation, fallback, required }: Field, read: Row, now: Date): unknown {
  const given = derivation?.always ? null : (read[name] ?? null);
  const value = given ?? derivation?.compute(read, now) ?? null;
  if (value !== null) return value;
  if (!required) return Array.isArray(fallback) ? fallback : null;
  if (fallback === undefined) throw new UnreadableRow(name);
  return fallback;
}
