import { type Column, isTimeColumn } from '../../database/columns';
import type { Field } from '../../fields';
import { rawText } from '../../fields/raw';
import { readColumnTime, timeReader, zonedReader } from '../../fields/times';
import type { TimeForm } from '../../time/time';
import { zonedTime } from '../../time/zonedTime';
import { must, oneOf } from '../checks';
import { type ColumnReading, type Only, onlyFor } from './description';

export interface TimeKeywords<F extends Field = Field> {
  /** The form of the times in the column. Default: each value is recognized by its form. For times. */
  readonly time?: Only<F, string, TimeForm>;
  /** The time zone of a date or a time that names none, by its IANA name. Default: UTC. For times. */
  readonly zone?: Only<F, string, string>;
}

/** How a field of times is read, with these keywords or without them. */
export const time: ColumnReading<TimeKeywords> = {
  keywords: onlyFor('time', {
    time: oneOf(['unix', 'unix-ms', 'date', 'datetime']),
    zone: must('must be an IANA time zone', isTimeZone),
  }),
  isAsked: (_, { kind }) => kind === 'time',
  plan: ({ column }, { time, zone }) => ({
    read: zone === undefined ? readerOf(column, time) : zonedReaderOf(column, time, zone),
    changes: { column, form: time, zoned: zone !== undefined },
  }),
};

function isTimeZone(value: unknown): boolean {
  try {
    zonedTime(String(value));
    return typeof value === 'string';
  } catch {
    return false;
  }
}

// A column of times is read in one form, whatever `time` says.
function readerOf(column: Column, form: TimeForm | undefined): (raw: unknown) => string | null {
  return isTimeColumn(column) ? readColumnTime : timeReader(form);
}

function zonedReaderOf(column: Column, form: TimeForm | undefined, zone: string): (raw: unknown) => unknown {
  const read = readerOf(column, form);
  if (/^timestamp(?: with time zone)?$/.test(column.type)) return read;
  const zoned = zonedReader(read, zone);
  // PostgreSQL returns local times as seconds, in text. Every other number is a moment, which has no zone.
  const isMoment = isTimeColumn(column)
    ? (raw: unknown) => typeof raw !== 'string'
    : (raw: unknown) => /^[+-]?\d+(?:\.\d+)?$/.test(rawText(raw)?.trim() ?? '');
  return (raw) => (isMoment(raw) ? read(raw) : zoned(raw));
}
