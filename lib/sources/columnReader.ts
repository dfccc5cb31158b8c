import { type Column, isIntegerColumn, isNumberColumn, isTimeColumn } from '../database/columns';
import type { Field } from '../fields';
import { type Integer, rawText, readInteger } from '../fields/raw';
import { timeReader, zonedReader } from '../fields/times';
import { plainResult, takesLists } from './plainResult';
import { readColumnTime } from './readColumnTime';
import type { ColumnSource, RawValue } from './SourceOptions';
import { scaledReader } from './scaledReader';
import { sentinelTest } from './sentinels';
import { unitFactor } from './unitFactor';
import { wordReader } from './wordReader';

type Read = (raw: unknown) => unknown;

/** How a field is read from a column as the panel describes it. */
export function columnReader(field: Field, column: Column, source: ColumnSource): Read {
  const read = describedReader(field, column, source);
  if (source.null === undefined) return read;
  const isNone = sentinelTest(source.null, column);
  return (raw) => (isNone(raw) ? null : read(raw));
}

function describedReader(field: Field, column: Column, source: ColumnSource): Read {
  const made = field.reader();
  if (source.from) {
    const { from } = source;
    const value = rawValue(column);
    const list = takesLists(field);
    return (raw) => made(plainResult(from(value(raw)), list));
  }
  if (source.values) return wordReader(field, source);
  if (source.true !== undefined) {
    return sentinelTest(source.true, column);
  }
  if (source.unit) return scaledReader(field, unitFactor(field.kind, source.unit));
  if (source.integer) return wholeReader(column);
  if (source.separator !== undefined) {
    const { separator } = source;
    return (raw) => made(rawText(raw)?.split(separator) ?? null);
  }
  return field.kind === 'time' ? describedTimeReader(column, source) : field.reader(column);
}

// A filter asks a column of texts for the very digits, and one of numbers for their value.
function wholeReader(column: Column): Read {
  const whole = isNumberColumn(column) ? /^-?\d+(?:\.0*)?$/ : /^(?:0|-?[1-9]\d*)$/;
  return (raw) => (whole.test(rawText(raw) ?? '') ? readInteger(raw) : null);
}

function describedTimeReader(column: Column, { time, zone }: ColumnSource): Read {
  // A column of times comes in one form, whatever the panel calls it.
  const read = isTimeColumn(column) ? readColumnTime : timeReader(time);
  const isInstant = /^timestamp(?: with time zone)?$/.test(column.type);
  if (zone === undefined || isInstant) return read;
  const zoned = zonedReader(read, zone);
  // PostgreSQL gives what a clock shows as seconds, in text; every other number is a moment and knows no zone.
  const isMoment = isTimeColumn(column)
    ? (raw: unknown) => typeof raw !== 'string'
    : (raw: unknown) => /^[+-]?\d+(?:\.\d+)?$/.test(rawText(raw)?.trim() ?? '');
  return (raw) => (isMoment(raw) ? read(raw) : zoned(raw));
}

/** A column's value as a panel's function gets it, the same from every database. */
export function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return (raw): Integer | null => readInteger(raw);
  if (column.type === 'boolean') {
    // Of the three databases one alone has booleans, and that one writes them as letters.
    return (raw) => (raw === 't' ? 1 : raw === 'f' ? 0 : readInteger(raw));
  }
  return isTimeColumn(column) ? readColumnTime : rawText;
}
