import { type Bounds, isTimeColumn, type TimeColumn } from '../../database/columns';
import { rawText } from '../../fields/raw';
import { isDayText, NUMBER, readColumnTime, readTime, timeReader } from '../../fields/times';
import { DAY_SECONDS, exactTime, TIME_FORMS } from '../../time/time';
import { isTimeFormat } from '../../time/timeFormat';
import { zonedTime } from '../../time/zonedTime';
import { isPlainObject, must } from '../validators';
import type { PushDown } from './FieldPlan';

export const aZone = must('must be an IANA time zone', (value) => {
  try {
    zonedTime(String(value));
    return typeof value === 'string';
  } catch {
    return false;
  }
});

export const aTimeForm = must(
  `must be ${TIME_FORMS.join(', ')} or a format of YYYY, MM, DD, hh, mm and ss, such as DD.MM.YYYY hh:mm`,
  (value) => typeof value === 'string' && (TIME_FORMS.some((form) => form === value) || isTimeFormat(value)),
);

const SORTABLE = ['column', 'null', 'time', 'zone', 'confirm'];

/** Returns why rows cannot be sorted by a field of times with this description; null if the column decides. */
export function sayUnsortable(source: unknown): string | null {
  if (typeof source === 'string') return null;
  if (!isPlainObject(source) || Object.keys(source).some((keyword) => !SORTABLE.includes(keyword)))
    return 'is not read from a plain column';
  if (isTimeFormat(String(source.time))) return 'is written in a format, by which no database sorts';
  const late = [source.null ?? []].flat().find((value) => (readTime(String(value)) ?? '') >= '1971');
  return late === undefined ? null : `is null for ${late}, and rows without a time must come last`;
}

/**
 * Returns the reader of a column of times. One of a time type has one form, whatever `form` says. A day is its first
 * second; with `isLast`, its last.
 */
export function columnTimeReader(
  column: TimeColumn,
  zone: string | undefined,
  isLast: boolean,
): (raw: unknown) => string | null {
  const { form } = column;
  const isTyped = isTimeColumn(column);
  const isFormat = !isTyped && form !== undefined && isTimeFormat(form);
  const read = isTyped ? readColumnTime : timeReader(form);
  if (/^timestamp(?: with time zone)?$/.test(column.type) || (zone === undefined && !isLast)) return read;
  const instantOf = zone === undefined ? (clockMs: number) => clockMs : zonedTime(zone);
  return (raw) => {
    const clock = read(raw);
    // PostgreSQL's driver returns days as seconds, too.
    const isDay = isFormat
      ? !form.includes('h')
      : isDayText(raw) || (column.type === 'date' && NUMBER.test(String(raw)));
    if (clock === null || (zone === undefined && !isDay)) return clock;
    // It returns local times as seconds, in text. All other numbers are instants, which have no zone.
    const isMoment = isTyped ? typeof raw !== 'string' : NUMBER.test(rawText(raw)?.trim() ?? '');
    if (!isFormat && (isMoment || namesZone(raw))) return clock;
    const clockMs = Date.parse(clock);
    if (!isDay || !isLast) return exactTime(new Date(instantOf(clockMs, isDay)));
    return exactTime(new Date(instantOf(clockMs + DAY_SECONDS * 1000, true) - 1000));
  };
}

function namesZone(raw: unknown): boolean {
  return (
    typeof raw === 'string' &&
    raw.includes(':') &&
    /(?:Z|UTC|[+-]\d\d(?::?\d\d)?)$/i.test(raw.trim().slice(10))
  );
}

// Every database can compare with the times between them.
const [FIRST, LAST] = [0, Date.UTC(9999) / 1000];

/** The ranges of a column of times, or with `isLast` of times that may be later than it by a day. */
export function timeRange(column: TimeColumn, isLast: boolean): PushDown<Bounds> {
  return ({ from, to }, dialect) => {
    const [since, before] = [Number(from) - (isLast ? DAY_SECONDS : 0), Number(to)];
    return dialect.during(column, {
      from: since <= FIRST ? null : Math.min(since, LAST),
      to: to === null || before >= LAST ? null : Math.max(before, FIRST),
    });
  };
}
