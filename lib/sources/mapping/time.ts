import { type Column, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { readColumnTime, readTime, timeReader, zonedReader } from '../../fields/times';
import type { TimeForm } from '../../time/time';
import { zonedTime } from '../../time/zonedTime';
import { isPlainObject, must, oneOf } from '../checks';
import { type ColumnReading, type Only, onlyFor } from './description';
import { timeRange } from './ranges';

export interface TimeKeywords<F extends Field = Field> {
  /** For times: the form of the column's values. Default: recognized for each value. */
  readonly time?: Only<F, string, TimeForm>;
  /** For times: the IANA time zone of values without a zone. Default: UTC. */
  readonly zone?: Only<F, string, string>;
}

/** Reads a field of times, with or without these keywords. */
export const time: ColumnReading<TimeKeywords> = {
  keywords: onlyFor('time', {
    time: oneOf(['unix', 'unix-ms', 'date', 'datetime']),
    zone: must('must be an IANA time zone', isTimeZone),
  }),
  isAsked: (_, { kind }) => kind === 'time',
  plan: ({ column }, { time, zone }) => ({
    read: zone === undefined ? readerOf(column, time) : zonedReaderOf(column, time, zone),
    range: timeRange({ ...column, form: time, zoned: zone !== undefined }),
  }),
};

const SORTABLE = ['column', 'null', 'time', 'zone'];

/** Returns why rows cannot be sorted by a field of times with this description; null if the column decides. */
export function sayUnsortable(source: unknown): string | null {
  if (typeof source === 'string') return null;
  if (!isPlainObject(source) || Object.keys(source).some((keyword) => !SORTABLE.includes(keyword)))
    return 'is not read from a plain column';
  const late = [source.null ?? []].flat().find((value) => (readTime(String(value)) ?? '') >= '1971');
  return late === undefined ? null : `is null for ${late}, and rows without a time must come last`;
}

function isTimeZone(value: unknown): boolean {
  try {
    zonedTime(String(value));
    return typeof value === 'string';
  } catch {
    return false;
  }
}

// A column of a time type has one form, whatever `time` says.
function readerOf(column: Column, form: TimeForm | undefined): (raw: unknown) => string | null {
  return isTimeColumn(column) ? readColumnTime : timeReader(form);
}

function zonedReaderOf(column: Column, form: TimeForm | undefined, zone: string): (raw: unknown) => unknown {
  const read = readerOf(column, form);
  if (/^timestamp(?: with time zone)?$/.test(column.type)) return read;
  const zoned = zonedReader(read, zone);
  // PostgreSQL's driver returns local times as seconds, in text. All other numbers are instants, which have no zone.
  const isMoment = isTimeColumn(column)
    ? (raw: unknown) => typeof raw !== 'string'
    : (raw: unknown) => /^[+-]?\d+(?:\.\d+)?$/.test(rawText(raw)?.trim() ?? '');
  return (raw) => (isMoment(raw) ? read(raw) : zoned(raw));
}
