import type { CheckResult } from '../options/MountOptions';

/** Warns of active tokens that an administrator should look at. */
export function checkTokens(count: number): CheckResult {
  return count === 0
    ? { status: 'pass', detail: 'None.' }
    : { status: 'warn', detail: `${count} active ${count === 1 ? 'token' : 'tokens'}.` };
}
