import { InvalidInput } from '../lib/errors/InvalidInput';
import type { TokenRequest } from '../lib/tokens/checkTokenRequest';
import { parseDuration } from './parseDuration';

const DATE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/**
 * An expiry as it was typed: a duration, which counts from the database's clock, or a date with or without a time,
 * in UTC unless it says otherwise. Throws InvalidInput.
 */
export function parseExpiry(text: string): Pick<TokenRequest, 'expiresInSeconds' | 'expiresAt'> {
  const duration = parseDuration(text);
  return duration === null ? { expiresAt: secondsOf(text) } : { expiresInSeconds: duration };
}

function secondsOf(text: string): number {
  const [, date, minutes = '00:00', seconds = '00', zone = 'Z'] = DATE.exec(text) ?? [];
  const local = `${date}T${minutes}:${seconds}`;
  // The round trip refuses days that no calendar has: JavaScript takes February 30 for March 2.
  if (date === undefined || isoOf(Date.parse(`${local}Z`)) !== local) throw nonsense();
  const milliseconds = Date.parse(local + zone.toUpperCase());
  if (Number.isNaN(milliseconds)) throw nonsense();
  return milliseconds / 1000;
}

function isoOf(milliseconds: number): string | null {
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString().slice(0, 19);
}

function nonsense(): InvalidInput {
  return new InvalidInput(
    'expires',
    'The expiry must be a duration such as 30m, 12h, 90d, 2w or 1y, or a date such as 2030-12-31 or 2030-12-31T18:00:00+01:00.',
  );
}
