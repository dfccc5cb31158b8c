import { type Column, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { type Integer, rawText, readInteger } from '../../fields/raw';
import { readColumnTime } from '../../fields/times';

// What the panel's functions receive and return.

/**
 * A column's value as functions receive it, the same for every database: a whole number (a bigint beyond 2^53) from a
 * column of whole numbers, 1 or 0 from a boolean, RFC 3339 text from a time, otherwise text; null for NULL.
 */
export type RawValue = Integer | string | null;

export function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return readInteger;
  // Only PostgreSQL has booleans. It writes them as letters.
  if (column.type === 'boolean') return (raw) => (raw === 't' ? 1 : raw === 'f' ? 0 : readInteger(raw));
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
function plainResult(value: unknown, list = false): unknown {
  if (list && Array.isArray(value)) return value.map((member) => plainResult(member));
  // Its rejection would be unhandled, which ends the process.
  if (value instanceof Promise) value.catch(() => undefined);
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return ['string', 'bigint', 'boolean'].includes(typeof value) ? value : null;
}
