import type { Field } from '../fields';
import { rawText } from '../fields/rawText';
import { type Integer, readInteger } from '../fields/readInteger';
import { readTime } from '../fields/readTime';
import { timeReader, zonedReader } from '../fields/timeReader';
import { type Column, isIntegerColumn, isTimeColumn } from './Column';
import type { ColumnSource, RawValue } from './SourceOptions';
import { isSentinel, sentinelTexts } from './sentinels';
import { spellings } from './spellings';
import { unitFactor } from './unitFactor';

type Read = (raw: unknown) => unknown;

/** How a field is read from a column as the panel describes it. */
export function columnReader(field: Field, column: Column, source: ColumnSource): Read {
  const read = describedReader(field, column, source);
  if (source.null === undefined) return read;
  const none = sentinelTexts(source.null);
  return (raw) => (isSentinel(none, raw) ? null : read(raw));
}

function describedReader(field: Field, column: Column, source: ColumnSource): Read {
  const made = field.reader();
  if (source.from) {
    const { from } = source;
    const value = rawValue(column);
    return (raw) => made(from(value(raw)));
  }
  if (source.values) return wordReader(field, source.values, source.otherwise);
  if (source.true !== undefined) {
    const words = sentinelTexts(source.true);
    return (raw) => isSentinel(words, raw);
  }
  if (source.unit) return scaledReader(field, unitFactor(field.kind, source.unit));
  if (source.separator !== undefined) {
    const { separator } = source;
    return (raw) => made(rawText(raw)?.split(separator) ?? null);
  }
  return field.kind === 'time' ? describedTimeReader(column, source) : field.reader(column);
}

function wordReader(field: Field, values: Readonly<Record<string, unknown>>, otherwise: unknown): Read {
  const made = field.reader();
  const words = new Map(Object.entries(values));
  const uncovered = otherwise === undefined ? (field.uncovered ?? null) : made(otherwise);
  return (raw) => {
    const text = rawText(raw)?.trim();
    if (text === undefined) return null;
    const spelling =
      spellings(text).find((spelt) => words.has(spelt)) ?? (words.has(text) ? text : undefined);
    return spelling === undefined ? uncovered : made(words.get(spelling));
  };
}

function scaledReader(field: Field, factor: number): Read {
  const made = field.reader();
  return (raw) => {
    const text = rawText(raw)?.trim() ?? '';
    const whole = /^[+-]?\d+$/.test(text) ? readInteger(text) : null;
    if (whole !== null) return made(BigInt(whole) * BigInt(factor));
    const number = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(number) ? made(Math.round(number * factor)) : null;
  };
}

function describedTimeReader(column: Column, { time, zone }: ColumnSource): Read {
  // A column of times comes in one form, whatever the panel calls it.
  const read = isTimeColumn(column) ? readTime : timeReader(time);
  const isInstant = /^timestamp(?: with time zone)?$/.test(column.type);
  return zone === undefined || isInstant ? read : zonedReader(read, zone);
}

/** A column's value as a panel's function gets it, the same from every database. */
export function rawValue(column: Column): (raw: unknown) => RawValue {
  if (isIntegerColumn(column)) return (raw): Integer | null => readInteger(raw);
  return isTimeColumn(column) ? readTime : rawText;
}
