import type { Column } from '../database/columns';
import type { Dialect } from '../database/Dialect';
import { cell, keyCell } from './plan/cell';
import type { RawRow, RowPlan } from './plan/RowPlan';
import type { Key } from './Source';
import { UnreadableRow } from './UnreadableRow';

/** Where a selected row stands. Throws UnreadableRow if no list can go on behind it. */
export function rowKey({ key, columns }: RowPlan, row: RawRow | undefined, dialect: Dialect): Key {
  return key.map((position) => {
    const text = String(row?.[keyCell(position)] ?? row?.[cell(position)]);
    if (dialect.compareKey(columns[position] as Column).bind(text) === undefined)
      throw new UnreadableRow('id');
    return text;
  });
}
