import { type Column, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { type Integer, rawText, readInteger } from '../../fields/raw';
import { ListIds } from '../ids';
import type { ColumnsSource, RawValue } from '../SourceOptions';
import { cell, type FieldParts, type FieldPlan, type RawRow } from './FieldPlan';
import { readColumnTime } from './sentinels';

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

/** Whether an array can be a value of the field. */
export function takesLists({ kind }: Field): boolean {
  return kind === 'list' || kind === 'made';
}

/**
 * What a function of the panel's gave, if a field can be read from it: text (also as bytes), a number, a boolean, a time, or with
 * `list` an array of them. Anything else is nothing, a promise too, which nobody waits for.
 */
export function plainResult(value: unknown, list: boolean): unknown {
  if (list && Array.isArray(value)) return value.map((member) => plainResult(member, false));
  // Nobody would hear of its failure, and that ends a process.
  if (value instanceof Promise) value.catch(() => undefined);
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return PLAIN.has(typeof value) ? value : null;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'bigint', 'boolean']);

/** A column's value as a panel's function gets it, the same from every database. */
export function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return (raw): Integer | null => readInteger(raw);
  if (column.type === 'boolean') {
    // Of the three databases one alone has booleans, and that one writes them as letters.
    return (raw) => (raw === 't' ? 1 : raw === 'f' ? 0 : readInteger(raw));
  }
  return isTimeColumn(column) ? readColumnTime : rawText;
}
