import { DAY_SECONDS } from '../time/daySeconds';
import { ALWAYS, type SqlCondition, type TimeColumn } from './Comparison';

/** Seconds since 1970 as `2026-06-12 00:00:00`, in UTC or, a day earlier, before it is that late anywhere. */
export function dateText({ zoned }: Pick<TimeColumn, 'zoned'>, seconds: number): string {
  const time = new Date((seconds - (zoned ? DAY_SECONDS : 0)) * 1000);
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** What holds for a column of dates or times written as text, day first, at `seconds` and later. */
export function sinceText({ name, form }: TimeColumn, seconds: number): SqlCondition {
  // What is told by its looks alone may be a number too, which sorts elsewhere.
  if (form !== 'date' && form !== 'datetime') return ALWAYS;
  return { sql: '?? >= ?', bindings: [name, dateText({ zoned: true }, seconds).slice(0, 10)] };
}
