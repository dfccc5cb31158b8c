import type { CheckResult } from '../checks/Check';
import { worstStatus } from '../checks/Check';
import type { Migrations } from '../database/migrations/Migrations';
import type { Limiter } from '../limiter/Limiter';
import type { PanelLog } from '../log/PanelLog';
import { rfc3339 } from '../time/time';
import { type CheckParts, checkMigrations, checkSource, runCheck } from './checks';
import { moduleFacts } from './moduleFacts';

/** The parts of a mount that are tried. */
export interface HealthParts extends CheckParts {
  readonly limiter: Limiter;
  readonly log: PanelLog;
  readonly migrations: Migrations;
  readonly startedAt: Date;
}

/** Tries every part that an answer depends on, all at once, and says how long each took. */
export async function checkHealth(parts: HealthParts) {
  const { log, options, startedAt } = parts;
  const checks = await Promise.all(
    Object.entries(healthChecks(parts)).map(async ([name, check]) => {
      const { status, duration_ms, detail } = await runCheck(check, options.deadlineMs / 2, (error) =>
        log.checkFailed(name, error),
      );
      return { name, status, duration_ms, detail: detail ?? null };
    }),
  );
  return {
    status: worstStatus(checks.map(({ status }) => status)),
    checks,
    version: moduleFacts().version,
    started_at: rfc3339(startedAt) ?? '',
    uptime_seconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
  };
}

function healthChecks(parts: HealthParts): Record<string, () => Promise<CheckResult>> {
  const { database, migrations, limiter, log, sources } = parts;
  const answers = (probe: () => Promise<unknown>) => async (): Promise<CheckResult> => {
    await probe();
    return { status: 'pass' };
  };
  return {
    database: answers(() => database.rows('health.database', 'SELECT 1 AS one')),
    migrations: () => checkMigrations(migrations),
    rate_limiter: answers(() => limiter.probe()),
    log: async () =>
      log.lost === 0
        ? { status: 'pass' }
        : { status: 'warn', detail: `${log.lost} lines could not be written since the start.` },
    ...Object.fromEntries(
      [...sources].map(([name, source]) => [`source:${name}`, () => checkSource(name, source, parts)]),
    ),
  };
}
