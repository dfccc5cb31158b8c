import type { CheckResult } from '../checks/Check';
import { worstStatus } from '../checks/Check';
import type { Installation } from '../Installation';
import { rfc3339 } from '../time/time';
import { checkMigrations, checkSource, runCheck } from './checks';
import { moduleFacts } from './moduleFacts';

/** Tries every part that an answer depends on, all at once, and says how long each took. */
export async function checkHealth(installation: Installation) {
  const { log, options, startedAt } = installation;
  const checks = await Promise.all(
    Object.entries(healthChecks(installation)).map(async ([name, check]) => {
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

function healthChecks(installation: Installation): Record<string, () => Promise<CheckResult>> {
  const { database, migrations, limiter, log, sources } = installation;
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
      [...sources].map(([name, source]) => [`source:${name}`, () => checkSource(name, source, installation)]),
    ),
  };
}
