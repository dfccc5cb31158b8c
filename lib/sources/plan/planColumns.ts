import { rawValue } from '../columnReader';
import { ListIds } from '../ListIds';
import { plainResult, takesLists } from '../plainResult';
import type { ColumnsSource } from '../SourceOptions';
import { cell } from './cell';
import type { FieldParts, FieldPlan } from './FieldPlan';
import type { RawRow } from './RowPlan';

/** A field that a function of the panel's makes of several columns. */
export function planColumns({ name, field, columns, ids }: FieldParts, source: ColumnsSource): FieldPlan {
  const absent = columns.absent(Object.values(source.columns));
  if (absent.length > 0) return { absent };
  const inputs = Object.entries(source.columns).flatMap(([label, reference]) => {
    const column = columns.find(reference);
    return column ? [{ label, position: columns.select(column), read: rawValue(column) }] : [];
  });
  const part = ids.partOf(name, field, source.part);
  const [made, list] = [field.reader(), takesLists(field)];
  const read = (raw: RawRow) => {
    const held = Object.fromEntries(
      inputs.map(({ label, position, read }) => [label, read(raw[cell(position)])]),
    );
    return ListIds.toList(made(plainResult(source.compute(held), list)), part);
  };
  const positions = inputs.map(({ position }) => position);
  return {
    name,
    field,
    positions,
    inputs: positions.map((position) => ({ position, isNone: () => false })),
    read,
  };
}
