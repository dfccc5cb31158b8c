import { CHECK_STATUSES } from '../lib/checks/Check';
import { integer, listOf, number, object, oneOf, required, text, time } from '../lib/fields';
import { checkHealth, type HealthParts } from '../lib/health/health';
import { objectOperation } from '../lib/operations/Operation';
import type { RequestContext } from '../lib/requests/RequestContext';

export const health = objectOperation({
  name: 'health',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Health',
  description: 'Whether every part that the API depends on works, each tried for this very answer.',
  serverWide: true,
  fields: {
    status: required(oneOf('The worst of all checks.', CHECK_STATUSES)),
    checks: required(
      listOf(
        'What was tried.',
        object('A check.', {
          name: required(text('What was tried; `source:` and a resource for where its rows come from.')),
          status: required(oneOf('What came of it.', CHECK_STATUSES)),
          duration_ms: required(number('How long it took, in milliseconds.')),
          detail: text('What is wrong; null when nothing is.'),
        }),
      ),
    ),
    version: required(text('Version of the module.')),
    started_at: required(time('When this process mounted the API.')),
    uptime_seconds: required(integer('Seconds since then.')),
  },
  alike: () => '',
  load: (_context: RequestContext, mount: HealthParts) => checkHealth(mount),
});
