import { millisecondsOf } from '../time/millisecondsOf';

const DAY = 24 * 60 * 60 * 1000;

/** Whole days until the expiry, negative once it has passed; null where there is none. */
export function daysLeft(expiresAt: unknown, now: Date): number | null {
  const days = Math.floor((millisecondsOf(expiresAt) - now.getTime()) / DAY);
  return Number.isNaN(days) ? null : days;
}
