import { UnusableTables } from '../lib/database/DatabaseFailure';
import { ApiError } from '../lib/errors/ApiError';
import { integer, listOf, nullable, number, object, oneOf, text, time } from '../lib/fields';
import { checkHistory, checkMigrations } from '../lib/health/databaseChecks';
import { published } from '../lib/health/published';
import {
  CHECK_STATUSES,
  type ReleaseCheck,
  runCheck,
  type TimedResult,
  worstStatus,
} from '../lib/health/runCheck';
import type { Installation } from '../lib/Installation';
import { ErrorWithFacts } from '../lib/log/PanelLog';
import type { RequestContext } from '../lib/requests/Endpoint';
import { rfc3339 } from '../lib/time/time';
import { objectOperation } from './objectOperation';

export const health = objectOperation({
  name: 'health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Health',
  description:
    'Result of a check of every part that the API depends on. The checks run at the time of the request.',
  serverWide: true,
  parameters: {
    status: {
      description:
        '`code`: answer 503 `unavailable` if the status is `fail`, for programs that read only the code of an answer. By default the answer is 200 whatever the status is.',
      words: ['code'],
    },
  },
  fields: {
    status: oneOf('Worst status of all checks.', CHECK_STATUSES),
    checks: listOf(
      'Checks of the parts that the API depends on.',
      object('Check of one part.', {
        name: text('Name of the part; `source:` and the name of a resource for the source of that list.'),
        status: oneOf('Status of the check.', CHECK_STATUSES),
        duration_ms: number('Duration of the check in milliseconds.'),
        detail: nullable(text('Description of the problem; null if there is none.')),
      }),
    ),
    version: text('Version of koa-panel-api.'),
    started_at: time('Time when this process of the panel mounted the API.'),
    uptime_seconds: integer('Seconds since this process of the panel mounted the API.'),
  },
  alike: ({ parameters }) => parameters.status ?? '',
  load: checkHealth,
});

/** Checks every part that an answer depends on, all at once, and measures their durations. */
async function checkHealth({ parameters }: RequestContext, mount: Installation) {
  const { startedAt } = mount;
  const checks = await Promise.all(
    Object.entries(healthChecks(mount)).map(async ([name, check]) => {
      const { status, duration_ms, detail = null } = await check(name);
      return { name, status, duration_ms, detail };
    }),
  );
  const status = worstStatus(checks);
  if (parameters.status === 'code' && status === 'fail') {
    const failed = checks.filter((check) => check.status === 'fail').map(({ name }) => name);
    throw new ApiError('unavailable', {}, new FailedChecks(failed));
  }
  return {
    status,
    checks,
    version: published.version,
    started_at: rfc3339(startedAt) ?? '',
    uptime_seconds: Math.floor((Date.now() - startedAt.getTime()) / 1000),
  };
}

class FailedChecks extends ErrorWithFacts {
  override readonly name = 'FailedChecks';
  readonly facts: Readonly<Record<string, string>>;

  constructor(names: readonly string[]) {
    super('Checks failed.');
    this.facts = { cause_checks: names.join(', ') };
  }
}

function healthChecks(mount: Installation): Record<string, (name: string) => Promise<TimedResult>> {
  const { database, readDatabase, migrations, limiter, log, listChecks, history } = mount;
  // Every request waits for these, so one that does not answer in time has failed.
  const needed = (check: ReleaseCheck['run']) => (name: string) => runCheck(name, check, mount, 'fail');
  const answers = (probe: () => Promise<unknown>) =>
    needed(() => probe().then(() => ({ status: 'pass' }) as const));
  // One statement for both: an unexpected table is an answer of the database, too.
  const pending = migrations.pending();
  const answered = () => pending.catch((error) => error instanceof UnusableTables || Promise.reject(error));
  return {
    database: answers(answered),
    ...(readDatabase !== database && {
      read_database: answers(() => readDatabase.rows('health.read_database', 'SELECT 1 AS one')),
    }),
    migrations: needed(() => checkMigrations(pending)),
    rate_limiter: answers(() => limiter.probe()),
    log: needed(() =>
      log.lost === 0
        ? { status: 'pass' }
        : { status: 'warn', detail: `${log.lost} log lines could not be written since the process started.` },
    ),
    history: needed(async () => checkHistory(history.lost)),
    ...Object.fromEntries([...listChecks].map(([name, check]) => [`source:${name}`, () => check.read()])),
  };
}
