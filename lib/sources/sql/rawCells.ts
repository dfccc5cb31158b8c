import { rawText } from '../../fields/raw';
import { cell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import type { RawCell } from '../Source';

/** Returns what the fields of a row are read from, by their names. */
export function rawCells(
  { fields, columns }: RowPlan,
  row: RawRow,
): Readonly<Record<string, readonly RawCell[]>> {
  const cellOf = (position: number) => ({
    column: columns[position]?.name ?? '',
    raw: rawText(row[cell(position)]),
  });
  return Object.fromEntries(fields.map(({ name, positions }) => [name, positions.map(cellOf)]));
}
