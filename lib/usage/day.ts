import { DAY_SECONDS } from '../time/daySeconds';
/** The day of a time in seconds since 1970: whole days since then, in UTC. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS);
}

/** A day as `2026-06-12`. */
export function dayText(day: number): string {
  return new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}
