import { withTimeout } from '../async/withTimeout';
import type { Database } from '../database/Database';
import { DatabaseFailure } from '../database/DatabaseFailure';
import type { Migrations } from '../database/migrations/Migrations';
import { ForeignTable } from '../database/migrations/tables';
import { causeFacts, type PanelLog } from '../log/PanelLog';

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
  /** Runs the check. If it throws or rejects, it counts as failed, without a detail; if it takes too long, as a warning. */
  readonly run: () => CheckResult | Promise<CheckResult>;
}

/** The worst status of several checks; `pass` if there are none. */
export function worstStatus(checks: readonly Pick<CheckResult, 'status'>[]): CheckStatus {
  return CHECK_STATUSES.findLast((worst) => checks.some(({ status }) => status === worst)) ?? 'pass';
}

export type TimedResult<T extends CheckResult = CheckResult> = (
  | T
  | (CheckResult & { readonly state?: never })
) & {
  readonly duration_ms: number;
  /** Whether it had not ended in time. */
  readonly isLate: boolean;
};

/** What a check of the panel's runs with. */
export interface RunParts {
  readonly log: PanelLog;
  readonly options: { readonly deadlineMs: number };
}

/**
 * Runs a check for at most half of a request's deadline. If it fails, only the log contains the cause. One that is too
 * slow is a warning, because what it checks may work, unless `late` says otherwise.
 */
export async function runCheck<T extends CheckResult>(
  name: string,
  check: () => T | Promise<T>,
  { log, options }: RunParts,
  late: CheckStatus = 'warn',
): Promise<TimedResult<T>> {
  const startedAt = performance.now();
  const running = Promise.resolve().then(check);
  let isLate = false;
  const limitMs = options.deadlineMs / 2;
  const result = await withTimeout(running, limitMs, () => new LateCheck(limitMs)).catch((error) => {
    log.warn('panel-api check failed', { check: name, ...causeFacts(error) });
    const detail = sayLate(error);
    isLate = detail !== null;
    return detail === null ? failure(error) : { status: late, detail };
  });
  return { ...result, duration_ms: Math.round(performance.now() - startedAt), isLate };
}

class LateCheck extends Error {
  constructor(limitMs: number) {
    super(`The check took longer than ${limitMs / 1000} seconds.`);
  }
}

/** Says what made a check too slow; null for any other error. */
function sayLate(error: unknown): string | null {
  if (error instanceof LateCheck) return error.message;
  const code = error instanceof DatabaseFailure ? error.code : '';
  if (code === 'POOL_SHARE_TAKEN') return 'No place in the pool of connections was free in time.';
  return code === 'DEADLINE' ? 'The database did not answer in time.' : null;
}

/** Returns the result of a check of the panel's, which may be any value. Throws a TypeError if it is none. */
export function checked({ status, detail }: CheckResult): CheckResult {
  if (!CHECK_STATUSES.includes(status)) throw new TypeError('A check returned no status.');
  return typeof detail === 'string' ? { status, detail } : { status };
}

function failure(error: unknown): CheckResult {
  const detail =
    error instanceof DatabaseFailure ? `The database failed (${error.code}).` : 'The check failed.';
  return { status: 'fail', detail };
}

/** Checks whether all of the module's migrations were applied, by those that are pending. */
export async function checkMigrations(reading: ReturnType<Migrations['pending']>): Promise<CheckResult> {
  const pending = await reading.catch((error: unknown) => {
    if (error instanceof ForeignTable) return error.message;
    throw error;
  });
  if (typeof pending === 'string') return { status: 'fail', detail: pending };
  if (pending.length === 0) return { status: 'pass' };
  return { status: 'fail', detail: `Pending migrations: ${pending.join(', ')}.` };
}

/** Reads the kind and version of the panel's database from its server. */
export async function databaseFacts(database: Database) {
  const [row] = await database.rows('version', database.dialect.versionSql);
  const version = String(Object.values(row ?? {})[0] ?? 'unknown');
  const isMariadb = database.dialect.name === 'mysql' && /mariadb/i.test(version);
  return { kind: isMariadb ? ('mariadb' as const) : database.dialect.name, version };
}

/** Checks whether the panel's lists are read from the schema of the module's own tables, as on a replica. */
export async function checkReadDatabase(database: Database, readDatabase: Database): Promise<CheckResult> {
  const [own, read] = await Promise.all([database, readDatabase].map(schemaOf));
  return own === read
    ? { status: 'pass' }
    : { status: 'warn', detail: 'The handle readDb uses another database or schema than db.' };
}

async function schemaOf(database: Database): Promise<unknown> {
  const [row] = await database.rows('schema', database.dialect.schemaSql);
  return row?.name;
}
