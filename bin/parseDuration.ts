import { DAY_SECONDS } from '../lib/time/daySeconds';

const UNIT_SECONDS: Readonly<Record<string, number>> = {
  m: 60,
  h: 3600,
  d: DAY_SECONDS,
  w: 7 * DAY_SECONDS,
  y: 365 * DAY_SECONDS,
};

const DURATION = /^(\d+)([mhdwy])$/;

/** The seconds of a duration as it was typed, such as 30m, 12h, 90d, 2w or 1y; null for what is none. */
export function parseDuration(text: string): number | null {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  return count === undefined ? null : Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN);
}
