import { dayExists, exactTime, FIRST_MILLISECONDS, type TimeForm } from '../time/time';
import { formatReader, isTimeFormat, type TimeFormat } from '../time/timeFormat';
import { type Field, plainField } from './Field';
import { rawText } from './raw';

/** The schema of every time in the API. Generators fail if a `pattern` stands beside this format. */
export const TIME_SCHEMA = {
  type: 'string',
  format: 'date-time',
  examples: ['2026-06-12T00:00:00+00:00'],
} as const;

export function time(description: string): Field<string, 'time'> {
  return plainField('time', { ...TIME_SCHEMA, description }, readTime);
}

/** The time when something ends. A day is its last second. */
export function expiry(description: string): Field<string, 'time'> {
  const read = (raw: unknown) => readTime(isDayText(raw) ? `${raw.trim()} 23:59:59` : raw);
  return { ...time(description), reader: () => read, isExpiry: true };
}

/** Whether a time is written as a day alone. */
export function isDayText(raw: unknown): raw is string {
  return typeof raw === 'string' && /^\s*\d{4}-\d\d-\d\d\s*$/.test(raw);
}

export const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Returns a reader of times in one form. Values in any other form read as null. */
export function timeReader(form: TimeForm | TimeFormat | undefined): (raw: unknown) => string | null {
  if (form === undefined) return readTime;
  if (isTimeFormat(form)) {
    const read = formatReader(form);
    return (raw) => read(rawText(raw) ?? '');
  }
  if (form === 'unix' || form === 'unix-ms') {
    const divisor = form === 'unix' ? 1 : 1000;
    return (raw) => {
      const text = rawText(raw)?.trim() ?? '';
      return NUMBER.test(text) && Number(text) !== 0 ? timeOfSeconds(Number(text) / divisor) : null;
    };
  }
  return (raw) => (NUMBER.test(rawText(raw)?.trim() ?? '') ? null : readTime(raw));
}

const MONTH = '(?:0[1-9]|1[0-2])';
/** The days of every year, so all but 29 February. */
const DAY = `${MONTH}-(?:0[1-9]|1\\d|2[0-8])|(?!02)${MONTH}-(?:29|30)|(?:0[13578]|1[02])-31`;
const USUAL = new RegExp(`^(?!0000)\\d{4}-(?:${DAY}) (?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d$`);

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,3})\d{0,6})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Parses a time from unix seconds, milliseconds, or a written date or time, in UTC unless it names a zone. Zero, zero
 * dates (`0000-00-00`) and days that do not exist are null. It has milliseconds, which durations need.
 */
export function readTime(raw: unknown): string | null {
  if (typeof raw === 'string') return readUsual(raw) ?? readWritten(raw);
  if (raw === null || raw === undefined) return null;
  if (raw instanceof Date) return exactTime(raw);
  return readWritten(rawText(raw) ?? '');
}

/** Parses the form in which databases write nearly all times. Any other is null. */
function readUsual(text: string): string | null {
  return USUAL.test(text) ? `${text.slice(0, 10)}T${text.slice(11)}+00:00` : null;
}

function readWritten(given: string): string | null {
  const text = given.trim();
  if (!NUMBER.test(text)) return fromWritten(text);
  const value = Number(text);
  return value === 0 ? null : timeOfSeconds(Math.abs(value) < FIRST_MILLISECONDS ? value : value / 1000);
}

/** Rounds to microseconds first: 1.2 seconds are no whole number of milliseconds in floating point. */
function timeOfSeconds(seconds: number): string | null {
  return exactTime(new Date(Math.floor(Math.round(seconds * 1e6) / 1000)));
}

function fromWritten(text: string): string | null {
  const [, day, clock = '00:00:00', fraction = '0', zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !dayExists(day)) return null;
  const seconds = clock.length === 5 ? `${clock}:00` : clock;
  return exactTime(new Date(`${day}T${seconds}.${fraction.padEnd(3, '0')}${isoZone(zone)}`));
}

function isoZone(zone: string): string {
  if (/^(?:Z|UTC)$/i.test(zone)) return 'Z';
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}

/** Parses a value of a time column. A number in text is from PostgreSQL, and always in seconds. */
export function readColumnTime(raw: unknown): string | null {
  if (typeof raw !== 'string') return readTime(raw);
  return readUsual(raw) ?? (NUMBER.test(raw) ? timeOfSeconds(Number(raw)) : readWritten(raw));
}
