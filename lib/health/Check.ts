import { withTimeout } from '../async/withTimeout';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Migrations } from '../database/migrations/Migrations';
import { ForeignTable } from '../database/migrations/tables';
import type { PanelLog } from '../log/PanelLog';

export const CHECK_STATUSES = ['pass', 'warn', 'fail'] as const;

type CheckStatus = (typeof CHECK_STATUSES)[number];

/** The result of a check. `detail` is shown to clients. */
export interface CheckResult {
  readonly status: CheckStatus;
  readonly detail?: string;
}

/** A check that the panel adds to `release-audit.php`. */
export interface ReleaseCheck {
  readonly id: string;
  readonly title: string;
  /** Runs the check. If it throws, rejects or takes too long, it counts as failed, without a detail. */
  readonly run: () => CheckResult | Promise<CheckResult>;
}

export type Check = ReleaseCheck['run'];

/** The worst status of several checks; `pass` if there are none. */
export function worstStatus(checks: readonly Pick<CheckResult, 'status'>[]): CheckStatus {
  return (
    [...CHECK_STATUSES].reverse().find((worst) => checks.some(({ status }) => status === worst)) ?? 'pass'
  );
}

interface TimedResult extends CheckResult {
  readonly duration_ms: number;
}

interface RunParts {
  readonly log: PanelLog;
  readonly options: { readonly deadlineMs: number };
}

/** Runs a check for at most half of a request's deadline. If it fails, only the log contains the cause. */
export async function runCheck(name: string, check: Check, { log, options }: RunParts): Promise<TimedResult> {
  const startedAt = performance.now();
  const late = () => new Error('The check took too long.');
  const running = Promise.resolve().then(check).then(checked);
  const result = await withTimeout(running, options.deadlineMs / 2, late).catch((error) => {
    log.checkFailed(name, error);
    return failure(error);
  });
  return { ...result, duration_ms: Math.round(performance.now() - startedAt) };
}

// The panel's function may return any value.
function checked({ status, detail }: CheckResult): CheckResult {
  if (!CHECK_STATUSES.includes(status)) throw new TypeError('A check returned no status.');
  return typeof detail === 'string' ? { status, detail } : { status };
}

function failure(error: unknown): CheckResult {
  const detail =
    error instanceof DatabaseFailure ? `The database failed (${error.code}).` : 'The check failed.';
  return { status: 'fail', detail };
}

/** Checks whether all of the module's migrations were applied. */
export async function checkMigrations(migrations: Migrations): Promise<CheckResult> {
  const pending = await migrations.pending().catch(sentenceOf);
  if (typeof pending === 'string') return { status: 'fail', detail: pending };
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Pending migrations: ${pending.join(', ')}.` };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ForeignTable) return error.message;
  throw error;
}
