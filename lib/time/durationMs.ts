import { millisecondsOf } from './millisecondsOf';

/** Milliseconds between two times; null unless both are there, in this order. */
export function durationMs(startedAt: unknown, finishedAt: unknown): number | null {
  const duration = millisecondsOf(finishedAt) - millisecondsOf(startedAt);
  return duration >= 0 ? duration : null;
}
