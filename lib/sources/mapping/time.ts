import { type Bounds, isTimeColumn, type TimeColumn } from '../../database/columns';
import { rawText } from '../../fields/raw';
import { NUMBER, readColumnTime, readTime, timeReader } from '../../fields/times';
import { rfc3339 } from '../../time/time';
import { zonedTime } from '../../time/zonedTime';
import { isPlainObject, must } from '../checks';
import type { PushDown } from './FieldPlan';

export const aZone = must('must be an IANA time zone', (value) => {
  try {
    zonedTime(String(value));
    return typeof value === 'string';
  } catch {
    return false;
  }
});

const SORTABLE = ['column', 'null', 'time', 'zone', 'confirm'];

/** Returns why rows cannot be sorted by a field of times with this description; null if the column decides. */
export function sayUnsortable(source: unknown): string | null {
  if (typeof source === 'string') return null;
  if (!isPlainObject(source) || Object.keys(source).some((keyword) => !SORTABLE.includes(keyword)))
    return 'is not read from a plain column';
  const late = [source.null ?? []].flat().find((value) => (readTime(String(value)) ?? '') >= '1971');
  return late === undefined ? null : `is null for ${late}, and rows without a time must come last`;
}

/** Returns the reader of a column of times. One of a time type has one form, whatever `form` says. */
export function columnTimeReader(
  column: TimeColumn,
  zone: string | undefined,
): (raw: unknown) => string | null {
  const read = isTimeColumn(column) ? readColumnTime : timeReader(column.form);
  if (zone === undefined || /^timestamp(?: with time zone)?$/.test(column.type)) return read;
  const instantOf = zonedTime(zone);
  // PostgreSQL's driver returns local times as seconds, in text. All other numbers are instants, which have no zone.
  const isMoment = isTimeColumn(column)
    ? (raw: unknown) => typeof raw !== 'string'
    : (raw: unknown) => NUMBER.test(rawText(raw)?.trim() ?? '');
  return (raw) => {
    const clock = read(raw);
    if (clock === null || isMoment(raw) || namesZone(raw)) return clock;
    return rfc3339(new Date(instantOf(Date.parse(clock))));
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

/** The ranges of a column of times. */
export function timeRange(column: TimeColumn): PushDown<Bounds> {
  return ({ from, to }, dialect) => {
    const [since, before] = [Number(from), Number(to)];
    return dialect.during(column, {
      from: since <= FIRST ? null : Math.min(since, LAST),
      to: to === null || before >= LAST ? null : Math.max(before, FIRST),
    });
  };
}
