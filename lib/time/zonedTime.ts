import { DAY_MS } from './time';

// No zone changes its offset within a quarter of an hour of the clock.
const QUARTER_MS = 900_000;
const MOST_QUARTERS = 4096;

/**
 * Returns a function that converts a zone's clock time, in milliseconds as if it were UTC, to milliseconds since 1970.
 * A clock time that occurs twice, in autumn, is the first one, and one that never occurs, in spring, is NaN. With
 * `isDay`, the midnight of a day that begins later is that beginning. Throws a RangeError for an unknown zone.
 */
export function zonedTime(zone: string): (clockMs: number, isDay?: boolean) => number {
  const offsetAt = offsetsOf(zone);
  const offsets = new Map<number, number>();
  const fits = (clockMs: number, offset: number) => offsetAt(clockMs - offset) === offset;
  const around = (clockMs: number) => [offsetAt(clockMs - DAY_MS), offsetAt(clockMs + DAY_MS)] as const;
  return (clockMs, isDay = false) => {
    const quarter = Math.floor(clockMs / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      if (offsets.size >= MOST_QUARTERS) offsets.clear();
      offset = around(clockMs).find((one) => fits(clockMs, one)) ?? Number.NaN;
      offsets.set(quarter, offset);
    }
    if (!Number.isNaN(offset) || !isDay) return clockMs - offset;
    const [before, after] = around(clockMs);
    return after - before < DAY_MS ? clockMs - before : Number.NaN;
  };
}

/** The end of a time with its zone, such as `GMT`, `GMT+02:00` or, long ago, `GMT-00:25:21`. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** The offset of a zone from UTC at an instant, both in milliseconds. */
function offsetsOf(timeZone: string): (instant: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign, hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(clock.format(instant)) ?? [];
    const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return (sign === '-' ? -offset : offset) * 1000;
  };
}
