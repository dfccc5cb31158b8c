import { FIRST_MILLISECONDS } from '../time/firstMilliseconds';
import { rfc3339 } from '../time/rfc3339';
import type { Raw } from './Field';
import { rawText } from './rawText';

// The form in which databases write nearly all times.
const USUAL = /^(\d{4})-(\d\d)-(\d\d) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d)$/;

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d{1,9})?)?\s*(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads a time from unix seconds or milliseconds, or from written dates and times; those that name no zone are UTC.
 * Zero, zero dates (`0000-00-00`) and days that do not exist are null.
 */
export function readTime(raw: Raw): string | null {
  if (typeof raw === 'string' && USUAL.test(raw) && usualDayExists(raw)) {
    return `${raw.slice(0, 10)}T${raw.slice(11)}+00:00`;
  }
  if (raw instanceof Date) return rfc3339(raw);
  const text = rawText(raw)?.trim();
  if (!text) return null;
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? fromUnix(Number(text)) : fromWritten(text);
}

function fromUnix(value: number): string | null {
  if (value === 0) return null;
  return rfc3339(new Date(Math.abs(value) < FIRST_MILLISECONDS ? value * 1000 : value));
}

function fromWritten(text: string): string | null {
  const [, day, clock = '00:00:00', zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !dayExists(day)) return null;
  return rfc3339(new Date(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${isoZone(zone)}`));
}

const MOST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

// The leap day goes the longer way.
function usualDayExists(text: string): boolean {
  const [month, day] = [Number(text.slice(5, 7)), Number(text.slice(8, 10))];
  return day >= 1 && day <= (MOST_DAYS[month - 1] ?? 0) && !text.startsWith('0000');
}

// V8 takes 30 February for 2 March.
function dayExists(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

function isoZone(zone: string): string {
  if (/^(?:Z|UTC)$/i.test(zone)) return 'Z';
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3) || '00'}`;
}
