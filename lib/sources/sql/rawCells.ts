import { isTimeColumn } from '../../database/columns';
import { rawText } from '../../fields/raw';
import { readColumnTime } from '../../fields/times';
import { cell, type RawRow, type RowPlan } from '../mapping/FieldPlan';
import type { Chunk } from '../Source';

/** Returns what the fields of a row are read from, by their names. A time that is selected as a number is RFC 3339. */
export function rawCells({ fields, columns }: RowPlan, row: RawRow): ReturnType<NonNullable<Chunk['rawOf']>> {
  const cells = columns.map((column, position) => {
    const raw = row[cell(position)];
    const text = rawText(raw);
    const isSeconds = isTimeColumn(column) && Number.isFinite(Number(text ?? Number.NaN));
    return { column: column.name, raw: isSeconds ? readColumnTime(raw) : text };
  });
  const named = fields.map(({ name, positions }) => [name, positions.map((position) => cells[position])]);
  return Object.fromEntries(named);
}
