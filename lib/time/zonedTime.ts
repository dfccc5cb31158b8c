import { DAY_SECONDS } from './time';

const DAY_MS = DAY_SECONDS * 1000;

// No zone changes its offset within a quarter of an hour of the clock.
const QUARTER_MS = 900_000;
const MOST_QUARTERS = 4096;

/**
 * Returns a function that converts a zone's clock time, in milliseconds as if it were UTC, to milliseconds since 1970.
 * A clock time that occurs twice, in autumn, is the first one. A skipped one, in spring, is later by the skipped
 * duration. Throws a RangeError for an unknown zone.
 */
export function zonedTime(zone: string): (clockMs: number) => number {
  const offsetAt = offsetsOf(zone);
  const offsets = new Map<number, number>();
  return (clockMs) => {
    const quarter = Math.floor(clockMs / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return clockMs - known;
    if (offsets.size >= MOST_QUARTERS) offsets.clear();
    const [before, after] = [offsetAt(clockMs - DAY_MS), offsetAt(clockMs + DAY_MS)];
    const fits = (offset: number) => offsetAt(clockMs - offset) === offset;
    const offset = fits(before) || !fits(after) ? before : after;
    offsets.set(quarter, offset);
    return clockMs - offset;
  };
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** The offset of a zone from UTC at an instant, both in milliseconds. */
function offsetsOf(timeZone: string): (instant: number) => number {
  const two = '2-digit';
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  return (instant) => {
    const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 0, ...rest] = PARTS.map((type) => parts.get(type) ?? 0);
    return Date.UTC(year, month - 1, ...rest) - Math.floor(instant / 1000) * 1000;
  };
}
