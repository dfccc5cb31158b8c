/** Returns a time in the API's form: RFC 3339, whole seconds, offset `+00:00`. Null outside of the years 1 to 9999. */
export function rfc3339(time: Date): string | null {
  return wholeSeconds(exactTime(time));
}

/** The same with milliseconds. */
export function exactTime(time: Date): string | null {
  const seconds = time.getTime() / 1000;
  if (!(seconds >= FIRST_SECOND && seconds < LAST_SECOND + 1)) return null;
  return `${time.toISOString().slice(0, -1)}+00:00`;
}

/** The time in the API's form, without milliseconds. */
export function wholeSeconds(time: string | null): string | null {
  return time !== null && time.length > WHOLE_LENGTH ? `${time.slice(0, 19)}+00:00` : time;
}

/** The same for seconds since 1970, as the module's own tables store them. */
export function rfc3339OfSeconds(seconds: number): string;
export function rfc3339OfSeconds(seconds: number | null): string | null;
export function rfc3339OfSeconds(seconds: number | null): string | null {
  return seconds === null ? null : rfc3339(new Date(seconds * 1000));
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|z|[+ -]\d\d:\d\d))?$/;

/**
 * Parses an RFC 3339 time, or a date as its beginning in UTC, into seconds since 1970; null for anything else. A space
 * is read as a plus sign, because a query decodes an unencoded one to a space.
 */
export function parseTime(text: string): number | null {
  const [, day, clock = '00:00:00', zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !dayExists(day) || !/^[01]\d:[0-5]\d|^2[0-3]:[0-5]\d/.test(clock)) return null;
  const time = new Date(`${day}T${clock}${zone.toUpperCase().replace(' ', '+')}`);
  return rfc3339(time) === null ? null : Math.floor(time.getTime() / 1000);
}

/** Whether a day such as `2026-06-12` exists. V8 reads 30 February as 2 March. */
export function dayExists(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

/** Milliseconds since 1970 of a time in the API's form; NaN for anything else. */
export function millisecondsOf(time: unknown): number {
  return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

/** Milliseconds between two times; null unless both are times and in this order. */
export function durationMs(startedAt: unknown, finishedAt: unknown): number | null {
  const duration = millisecondsOf(finishedAt) - millisecondsOf(startedAt);
  return duration >= 0 ? duration : null;
}

/** The forms in which panels store times. */
export const TIME_FORMS = ['unix', 'unix-ms', 'date', 'datetime'] as const;
export type TimeForm = (typeof TIME_FORMS)[number];

/** The smallest number that is read as milliseconds: seconds reach it in the year 5138, milliseconds in 1973. */
export const FIRST_MILLISECONDS = 1e11;

const WHOLE_LENGTH = '2026-06-12T00:00:00+00:00'.length;

/** 0001-01-01T00:00:00Z. */
const FIRST_SECOND = -62_135_596_800;

/** 9999-12-31T23:59:59Z: the last second that RFC 3339 can express. */
export const LAST_SECOND = 253_402_300_799;

/** The length of a day in UTC, in seconds. */
export const DAY_SECONDS = 86_400;

/** The same in milliseconds. */
export const DAY_MS = DAY_SECONDS * 1000;

/** The length of an hour, in seconds. */
export const HOUR_SECONDS = 3600;

/** The day of a time in seconds since 1970: days since then, in UTC. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS);
}

/** A day as `2026-06-12`. */
export function dayText(day: number): string {
  return new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** The last second of a day such as `2026-06-12` in UTC, in seconds since 1970; null for any other text. */
export function endOfDay(day: string): number | null {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(day) ? parseTime(day) : null;
  return midnight === null ? null : midnight + DAY_SECONDS - 1;
}

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
 * Returns a time in words relative to `now`, both in seconds since 1970: "in 3 days", "2 hours ago", "now". It is rounded
 * to the nearest whole unit, before and after `now` alike: what is to end in 90 days does so an hour later, too. Below four
 * months it counts days, and below two years months, because these units have no exact length. `language` is a BCP 47
 * tag; default English.
 */
export function relativeTime(seconds: number, now: number, language = 'en'): string {
  const distance = seconds - now;
  // What is rounded up to the fewest of a longer unit is written in that: 1 day, not 24 hours.
  const [unit, length] =
    UNITS.find(([, size, fewest], index) => {
      const [, smaller] = UNITS[index + 1] ?? NOW;
      return Math.abs(distance) + smaller / 2 >= size * fewest;
    }) ?? NOW;
  const words = new Intl.RelativeTimeFormat(language, { numeric: distance === 0 ? 'auto' : 'always' });
  return words.format(Math.sign(distance) * Math.round(Math.abs(distance) / length), unit);
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
