import type { ReadRow } from '../fields';
import { rfc3339 } from '../time/rfc3339';
import { nextRun } from './nextRun';

/** When a task is due next by its schedule; null while it is not enabled and where nobody can say. */
export function nextRunAt({ schedule, enabled, timezone }: ReadRow, now: Date): string | null {
  if (enabled !== true || typeof schedule !== 'string') return null;
  const next = nextRun(schedule, now, typeof timezone === 'string' ? timezone.trim() : null);
  return next && rfc3339(next);
}
