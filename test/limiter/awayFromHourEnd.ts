import { setTimeout as sleep } from 'node:timers/promises';

/** An hour: a window that a test does not outlive. */
export const HOUR = 3600;

const ENOUGH_SECONDS = 20;

/** Waits, should the hour be about to end, until the next has begun: the database's windows follow the clock. */
export async function awayFromHourEnd(): Promise<void> {
  const secondsLeft = HOUR - ((Date.now() / 1000) % HOUR);
  if (secondsLeft < ENOUGH_SECONDS) await sleep(secondsLeft * 1000 + 50);
}
