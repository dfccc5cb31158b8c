import { CHECK_STATUSES } from '../lib/checks/Check';
import { listOf, object, oneOf, required, text, time } from '../lib/fields';
import { auditRelease } from '../lib/health/releaseAudit';
import { objectOperation, panelField } from '../lib/operations/Operation';

export const releaseAudit = objectOperation({
  name: 'release-audit',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Release audit',
  description: 'What runs on this server, whether it is as it was published, and what wants attention.',
  serverWide: true,
  fields: {
    status: required(oneOf('The worst of all checks.', CHECK_STATUSES)),
    panel: panelField,
    module: required(
      object('The module that serves this API.', {
        name: required(text('Name of the module.')),
        version: required(text('Version of the module.')),
      }),
    ),
    runtime: required(
      object('What it runs on.', {
        node: required(text('Version of Node.')),
        database: required(text('Kind and version of the database.')),
      }),
    ),
    checks: required(
      listOf(
        'What was looked at.',
        object('A check.', {
          id: required(text('Identifier of the check.')),
          title: required(text('What was looked at.')),
          status: required(oneOf('What came of it.', CHECK_STATUSES)),
          detail: text('What was found; null when there is nothing to say.'),
        }),
      ),
    ),
    history: required(
      listOf(
        'The migrations that were applied, oldest first.',
        object('A migration.', {
          name: required(text('Name of the migration.')),
          applied_at: required(time('When it was applied.')),
        }),
      ),
    ),
  },
  alike: ({ secure, addressForgeable }) => `${secure} ${addressForgeable}`,
  load: auditRelease,
});
