import { rfc3339 } from './rfc3339';

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|z|[+ -]\d\d:\d\d))?$/;

/**
 * Seconds since 1970 of an RFC 3339 time, or of the beginning of a day in UTC; null for anything else. A space stands
 * for a plus sign, which a query turns into one where the client did not encode it.
 */
export function parseTime(text: string): number | null {
  const [, day, clock = '00:00:00', zone = 'Z'] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !/^[01]\d:[0-5]\d|^2[0-3]:[0-5]\d/.test(clock)) return null;
  const midnight = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return null;
  const time = new Date(`${day}T${clock}${zone.toUpperCase().replace(' ', '+')}`);
  return rfc3339(time) === null ? null : Math.floor(time.getTime() / 1000);
}
