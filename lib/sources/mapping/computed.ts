import { type Column, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { rawText, readInteger } from '../../fields/raw';
import { readColumnTime } from '../../fields/times';
import { aFunction, closedObject, notEmpty, recordOf } from '../checks';
import { aColumn, type ColumnReading, type DescriptionKind, type RawValue } from './description';
import { cell } from './FieldPlan';

// Values that functions of the panel's compute from one column or from several.

export interface FromKeywords {
  /** Returns the field's value for the column's value. The field cannot be filtered then. */
  readonly from?: (raw: RawValue) => unknown;
}

export const from: ColumnReading<FromKeywords> = {
  keywords: () => ({ from: aFunction }),
  isAsked: ({ from }) => from !== undefined,
  plan({ field, column }, { from = () => null }) {
    const value = rawValue(column);
    const read = resultReader(field);
    return { read: (raw) => read(from(value(raw))), shown: null, asked: null, refused: null };
  },
};

/** A function over several columns. For an `id`, these columns are the key, in this order. */
export interface ColumnsSource {
  readonly columns: Readonly<Record<string, string>>;
  /** Returns the field's value for the values of the columns, which have their names in `columns`. */
  readonly compute: (raw: Readonly<Record<string, RawValue>>) => unknown;
  readonly part?: number;
}

export const columns: DescriptionKind<ColumnsSource> = {
  mayBeKey: true,
  check({ field, checkPart }) {
    const part = field.kind === 'id' ? { part: checkPart } : {};
    const columns = notEmpty(recordOf(aColumn));
    return closedObject({ columns, compute: aFunction, ...part }, ['columns', 'compute']);
  },
  references: ({ columns }) => Object.values(columns),
  plan({ name, field, columns, ids }, source) {
    const absent = columns.absent(Object.values(source.columns));
    if (absent.length > 0) return { absent };
    const inputs = Object.entries(source.columns).flatMap(([label, reference]) => {
      const column = columns.find(reference);
      return column ? [{ label, position: columns.select(column), value: rawValue(column) }] : [];
    });
    const { toList } = ids(name, field, source.part);
    const read = resultReader(field);
    return {
      name,
      field,
      positions: inputs.map(({ position }) => position),
      inputs: inputs.map(({ position }) => ({ position, isNone: () => false })),
      read(row) {
        const held = inputs.map(({ label, position, value }) => [label, value(row[cell(position)])]);
        return toList(read(source.compute(Object.fromEntries(held))));
      },
    };
  },
};

/** Creates the reader of the values that a function of the panel's receives, the same for every database. */
function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return (raw) => readInteger(raw);
  if (column.type === 'boolean') {
    // PostgreSQL alone has booleans, and writes them as letters.
    return (raw) => (raw === 't' ? 1 : raw === 'f' ? 0 : readInteger(raw));
  }
  return isTimeColumn(column) ? readColumnTime : rawText;
}

/** Creates the reader of the field from the result of a function of the panel's. */
export function resultReader(field: Field): (value: unknown) => unknown {
  const read = field.reader();
  const list = field.kind === 'list' || field.kind === 'any';
  return (value) => read(plainResult(value, list));
}

/**
 * Returns the result of a function of the panel's if a field can be read from it: text (also as bytes), a number, a
 * boolean, a time, or with `list` an array of them; null for anything else, also for a promise, which is not awaited.
 */
export function plainResult(value: unknown, list = false): unknown {
  if (list && Array.isArray(value)) return value.map((member) => plainResult(member));
  // Its rejection would be unhandled, which ends the process.
  if (value instanceof Promise) value.catch(() => undefined);
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return PLAIN.has(typeof value) ? value : null;
}

const PLAIN: ReadonlySet<string> = new Set(['string', 'bigint', 'boolean']);
