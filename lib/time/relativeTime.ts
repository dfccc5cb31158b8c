import { DAY_SECONDS } from './time';

/** The units of relative times with their seconds and the fewest that are shown, the longest first. */
const UNITS = [
  ['year', 365 * DAY_SECONDS, 2],
  ['month', 30 * DAY_SECONDS, 4],
  ['day', DAY_SECONDS, 1],
  ['hour', 3600, 1],
  ['minute', 60, 1],
  ['second', 1, 1],
] as const;

/**
 * Returns a time in words relative to `now`, both in seconds since 1970: "in 3 days", "2 hours ago", "now". It is cut
 * to whole units, except that a unit in the future lasts a little longer: what is to end in 90 days does so a few seconds
 * later, too. Below four months it counts days, and below two years months, because these units have no exact length.
 * `language` is a BCP 47 tag; default English.
 */
export function relativeTime(seconds: number, now: number, language = 'en'): string {
  const distance = seconds - now;
  const graceOf = (size: number) => (distance > 0 && size >= 3600 ? 120 : 0);
  const unitsOf = (size: number) => (distance + graceOf(size)) / size;
  const [unit, length] = UNITS.find(([, size, fewest]) => Math.abs(unitsOf(size)) >= fewest) ?? NOW;
  const words = new Intl.RelativeTimeFormat(language, { numeric: distance === 0 ? 'auto' : 'always' });
  return words.format(Math.trunc(unitsOf(length)), unit);
}

/**
 * Returns a duration in the longest unit up to days that expresses it in a whole number: "1 day", "90 minutes".
 * `language` is a BCP 47 tag; default English.
 */
export function durationText(seconds: number, language = 'en'): string {
  const exact = UNITS.filter(([, length]) => length <= DAY_SECONDS && seconds % length === 0);
  const [unit, length] = exact.find(([, length]) => seconds >= length) ?? NOW;
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(
    seconds / length,
  );
}

const NOW = ['second', 1] as const;
