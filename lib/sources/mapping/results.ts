import { type Column, isIntegerColumn, isTimeColumn } from '../../database/columns';
import type { Field, FieldKind } from '../../fields';
import { type Integer, rawText, readInteger } from '../../fields/raw';
import { readColumnTime } from '../../fields/times';
import { isLimit } from '../../problems/problems';
import { wholeSeconds } from '../../time/time';
import { UnreadableRow } from '../Source';

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
  return isTimeColumn(column) ? (raw) => wholeSeconds(readColumnTime(raw)) : rawText;
}

/** Called with the type of a value that cannot be read. */
type OnUnreadable = (type: string) => void;

/**
 * Returns the reader of the field from the result of the panel's function. A value that cannot be read is null, unless
 * the field is required, or a limit, of which null means that there is none: the reader throws UnreadableRow.
 */
export function resultReader(
  name: string,
  field: Field,
  onUnreadable: OnUnreadable = () => undefined,
): (value: unknown) => unknown {
  const read = field.reader();
  const refuse = (type: string) => {
    if (field.required || isLimit(name)) throw new UnreadableRow(name, { type });
    onUnreadable(type);
  };
  return (value) => read(plainResult(value, field.kind, refuse));
}

/**
 * Returns the function's result if it is text (also as bytes), a number, a boolean, an object that is exactly one of
 * them or a time or, for a list, an array of them. For anything else, such as a promise, which is not awaited, and for
 * an id that has lost digits or has a fraction, it calls `onUnreadable` and returns null.
 */
export function plainResult(value: unknown, kind: FieldKind, onUnreadable: OnUnreadable): unknown {
  if (['string', 'bigint', 'boolean'].includes(typeof value)) return value;
  if (kind === 'id' ? Number.isSafeInteger(value) : Number.isFinite(value)) return value;
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array || (value instanceof Date && !Number.isNaN(value.getTime()))) return value;
  if ((kind === 'list' || kind === 'any') && Array.isArray(value))
    return value.map((member) => plainResult(member, 'text', onUnreadable));
  // Its rejection would be unhandled, which ends the process.
  if (value instanceof Promise) value.catch(() => undefined);
  let type: string = typeof value === 'number' ? String(value) : typeof value;
  if (Number.isFinite(value)) type = `number ${Number.isInteger(value) ? 'beyond 2^53' : 'with a fraction'}`;
  try {
    if (typeof value === 'object') {
      type = String(Object.getPrototypeOf(value)?.constructor?.name ?? 'Object').slice(0, LONGEST_TYPE);
      const text = writtenText(value);
      const exact = exactValue(text);
      if (exact !== null && !(kind === 'id' && FRACTION.test(String(exact)))) return exact;
      if (/^(?:null|NaN|-?Infinity)$/.test(text)) type = `invalid ${type}`;
      else if (DECIMAL.test(text)) type += exact === null ? ' of more than 40 digits' : ' with a fraction';
    }
  } catch {
    // What such an object is asked runs code of the panel's.
  }
  onUnreadable(type);
  return null;
}

const LONGEST_TYPE = 100;

const MOMENT_OR_OBJECT_ID = /^(?:\d{4}-\d\d-\d\d(?:T\d\d:\d\d.*)?|[\da-f]{24})$/;
const DECIMAL = /^([+-]?\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** A number with a fraction. As a whole number, it would be the id of another row. */
export const FRACTION = /^\s*[+-]?\d+(?:\.\d*[1-9]|(?:\.\d*)?e-)/i;

/**
 * Returns the text by which an object of a data layer is known, because each copy of a library has classes of its own:
 * that in JSON, or the own one of MongoDB's numbers. It is empty for any other object.
 */
function writtenText(value: object): string {
  const { _bsontype: bson, __isLong__: isLong, toJSON } = value as Readonly<Record<string, unknown>>;
  if (bson === undefined ? isLong === true : bson === 'Long' || bson === 'Decimal128') return String(value);
  const json: unknown = typeof toJSON === 'function' ? toJSON.call(value) : '';
  return json === null || ['string', 'number'].includes(typeof json) ? String(json) : '';
}

/** Returns a number, a time or an ObjectId exactly; null for any other text. */
function exactValue(text: string): string | bigint | null {
  if (MOMENT_OR_OBJECT_ID.test(text)) return text;
  const [, whole, fraction = '', exponent = 0] = DECIMAL.exec(text) ?? [];
  // A whole number of more digits would be read as null.
  if (whole === undefined || whole.length + Math.abs(Number(exponent)) > 40) return null;
  const zeros = Number(exponent) - fraction.length;
  return zeros >= 0 ? BigInt(whole + fraction) * 10n ** BigInt(zeros) : text;
}
