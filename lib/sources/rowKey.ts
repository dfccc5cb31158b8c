import { isIntegerColumn } from '../database/Column';
import { readInteger } from '../fields/readInteger';
import { cell } from './plan/cell';
import type { RawRow, RowPlan } from './plan/RowPlan';
import type { Key } from './Source';

/** Where a selected row stands. The text of a whole number is the same whatever the driver gives for it. */
export function rowKey({ key, columns }: RowPlan, row: RawRow | undefined): Key {
  return key.map((position) => {
    const raw = row?.[cell(position)];
    const column = columns[position];
    return String(column && isIntegerColumn(column) ? readInteger(raw) : raw);
  });
}
