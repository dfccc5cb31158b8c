import { integer, listOf, number, object, oneOf, required, text, time } from '../lib/fields';
import { CHECK_STATUSES, type Check, checkMigrations, runCheck, worstStatus } from '../lib/health/Check';
import { checkSource } from '../lib/health/checkSource';
import { checkReadDatabase } from '../lib/health/databaseFacts';
import type { Mount } from '../lib/Installation';
import { objectOperation } from '../lib/operations/Operation';
import { published } from '../lib/release/published';
import type { RequestContext } from '../lib/requests/RequestContext';
import { rfc3339 } from '../lib/time/time';

export const health = objectOperation({
  name: 'health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Health',
  description:
    'Result of a check of every part that the API depends on. The checks run at the time of the request.',
  serverWide: true,
  fields: {
    status: required(oneOf('Worst status of all checks.', CHECK_STATUSES)),
    checks: required(
      listOf(
        'Checks of the parts that the API depends on.',
        object('Check of one part.', {
          name: required(
            text('Name of the part; `source:` and the name of a resource for the source of that list.'),
          ),
          status: required(oneOf('Status of the check.', CHECK_STATUSES)),
          duration_ms: required(number('Duration of the check in milliseconds.')),
          detail: text('Description of the problem; null if there is none.'),
        }),
      ),
    ),
    version: required(text('Version of koa-panel-api.')),
    started_at: required(time('Time when this process of the panel mounted the API.')),
    uptime_seconds: required(integer('Seconds since this process of the panel mounted the API.')),
  },
  alike: () => '',
  load: checkHealth,
});

/** Checks every part that an answer depends on, all at once, and measures their durations. */
async function checkHealth(_context: RequestContext, mount: Mount) {
  const { startedAt } = mount;
  const checks = await Promise.all(
    Object.entries(healthChecks(mount)).map(async ([name, check]) => {
      const { status, duration_ms, detail = null } = await runCheck(name, check, mount);
      return { name, status, duration_ms, detail };
    }),
  );
  return {
    status: worstStatus(checks),
    checks,
    version: published.version,
    started_at: rfc3339(startedAt) ?? '',
    uptime_seconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
  };
}

function healthChecks(mount: Mount): Record<string, Check> {
  const { database, readDatabase, migrations, limiter, log, sources } = mount;
  const answers = (probe: () => Promise<unknown>) => () => probe().then(() => ({ status: 'pass' }) as const);
  return {
    database: answers(() => database.rows('health.database', 'SELECT 1 AS one')),
    ...(readDatabase === database ? {} : { read_database: () => checkReadDatabase(database, readDatabase) }),
    migrations: () => checkMigrations(migrations),
    rate_limiter: answers(() => limiter.probe()),
    log: () =>
      log.lost === 0
        ? { status: 'pass' }
        : { status: 'warn', detail: `${log.lost} log lines could not be written since the process started.` },
    ...Object.fromEntries(
      [...sources].map(([name, source]) => [`source:${name}`, () => checkSource(name, source, mount)]),
    ),
  };
}
