import { DatabaseFailure } from '../database/DatabaseFailure';
import type { CheckResult } from '../options/MountOptions';
import { within } from '../time/within';
import { CHECK_STATUSES } from './Check';

interface TimedResult extends CheckResult {
  readonly duration_ms: number;
}

/**
 * Runs a check, at most `patienceMs` long. What goes wrong in it is a failure whose cause stays on the server, where
 * `tell` hears of it.
 */
export async function runCheck(
  check: () => CheckResult | Promise<CheckResult>,
  patienceMs: number,
  tell: (error: unknown) => void,
): Promise<TimedResult> {
  const startedAt = performance.now();
  const late = () => new Error('The check took too long.');
  const result = await within(Promise.resolve().then(check).then(sound), patienceMs, late).catch((error) => {
    tell(error);
    return failure(error);
  });
  return { ...result, duration_ms: Math.round(performance.now() - startedAt) };
}

// A panel's own check may give anything.
function sound({ status, detail }: CheckResult): CheckResult {
  if (!CHECK_STATUSES.includes(status)) throw new TypeError('A check gave no status.');
  return typeof detail === 'string' ? { status, detail } : { status };
}

function failure(error: unknown): CheckResult {
  const detail =
    error instanceof DatabaseFailure ? `The database failed (${error.code}).` : 'The check failed.';
  return { status: 'fail', detail };
}
