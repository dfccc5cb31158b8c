import { InvalidInput } from '../lib/errors/InvalidInput';
import { DAY_SECONDS, endOfDay, parseTime } from '../lib/time/time';
import type { Expiry } from '../lib/tokens/TokenRecord';

/**
 * Parses an expiry: `never`, a duration from now, by the database's clock, a date, which means its end, or a date and
 * time. Both are in UTC, unless the time has an offset. Throws InvalidInput.
 */
export function parseExpiry(text: string): Expiry {
  if (text === 'never') return { expiresAt: null };
  const duration = parseDuration(text);
  if (duration !== null) return { expiresInSeconds: duration };
  const sentence =
    'The expiry must be a duration such as 30m, 12h, 90d, 2w or 1y, or a date such as 2030-12-31 or 2030-12-31T18:00:00+01:00.';
  return { expiresAt: understood(endOfDay(text) ?? parseDate(text), 'expires', sentence) };
}

/** Parses a duration and returns its seconds. Throws InvalidInput. */
export function parsePeriod(text: string): number {
  return understood(parseDuration(text), 'duration', 'A duration is written as 30m, 12h, 14d, 2w or 1y.');
}

/** Parses a past time, a duration before now or a date, into seconds since 1970. Throws InvalidInput. */
export function parsePast(text: string): number {
  const duration = parseDuration(text);
  if (duration !== null) return Math.floor(Date.now() / 1000) - duration;
  const sentence =
    'The time must be a duration before now such as 12h, 7d or 2w, or a date such as 2026-06-12 or 2026-06-12T18:00:00+01:00.';
  return understood(parseDate(text), 'time', sentence);
}

function understood(seconds: number | null, name: string, sentence: string): number {
  if (seconds === null) throw new InvalidInput(name, sentence);
  return seconds;
}

const UNIT_SECONDS = { m: 60, h: 3600, d: DAY_SECONDS, w: 7 * DAY_SECONDS, y: 365 * DAY_SECONDS };

/** The seconds of a duration such as 30m, 12h, 90d, 2w or 1y; null for any other text. */
function parseDuration(text: string): number | null {
  const [, count, unit] = /^(\d+)([mhdwy])$/.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Returns null if the text is not a date. */
function parseDate(text: string): number | null {
  const [, date, minutes = '00:00', seconds = '00', zone = 'Z'] = DATE.exec(text) ?? [];
  return parseTime(`${date}T${minutes}:${seconds}${zone}`);
}
