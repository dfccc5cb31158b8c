import { type Column, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { rawText, readInteger } from '../../fields/raw';
import { readColumnTime } from '../../fields/times';
import { aFunction, closedObject, notEmpty, recordOf } from '../checks';
import { aColumn, type ColumnReading, type DescriptionKind, type RawValue } from './description';
import { cell } from './FieldPlan';

// Values that the panel's functions compute from one or more columns.

export interface FromKeywords {
  /** Returns the field's value for a column value. The field then cannot be filtered. */
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

/** Computes a field from several columns. For `id`, the columns are the key, in this order. */
export interface ColumnsSource {
  /** The column (in a query `alias.column`) of each value that `compute` receives, by the value's name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Returns the field's value for the values of the columns, by their names in `columns`. */
  readonly compute: (raw: Readonly<Record<string, RawValue>>) => unknown;
  /** For ids: the part of a list that the id refers to, from 0, if the list has several parts. */
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

/** Returns the reader of the values that the panel's functions receive, the same for every database. */
function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return (raw) => readInteger(raw);
  if (column.type === 'boolean') {
    // Only PostgreSQL has booleans. It writes them as letters.
    return (raw) => (raw === 't' ? 1 : raw === 'f' ? 0 : readInteger(raw));
  }
  return isTimeColumn(column) ? readColumnTime : rawText;
}

/** Returns the reader of the field from the result of the panel's function. */
export function resultReader(field: Field): (value: unknown) => unknown {
  const read = field.reader();
  if (field.kind === 'id') return (value) => read(idResult(value));
  const list = field.kind === 'list' || field.kind === 'any';
  return (value) => read(plainResult(value, list));
}

/**
 * Returns the function's result for an id. A number with a fraction or beyond 2^53 is null: the number that is left of
 * it may be the id of another row.
 */
export function idResult(value: unknown): unknown {
  const plain = plainResult(value);
  return typeof plain === 'number' && !Number.isSafeInteger(plain) ? null : plain;
}

/**
 * Returns the function's result if it is text (also as bytes), a number, a boolean, a time or, with `list`, an array of
 * them. Returns null for anything else, such as a promise, which is not awaited.
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
