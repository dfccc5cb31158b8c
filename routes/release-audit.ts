import { join } from 'node:path';
import { FORGEABLE_ADDRESS } from '../lib/addresses/clientAddress';
import { printable } from '../lib/errors/printable';
import { listOf, object, oneOf, required, text, time } from '../lib/fields';
import {
  CHECK_STATUSES,
  type CheckResult,
  checkMigrations,
  type ReleaseCheck,
  runCheck,
  worstStatus,
} from '../lib/health/Check';
import { checkSource } from '../lib/health/checkSource';
import { databaseFacts } from '../lib/health/databaseFacts';
import type { Mount } from '../lib/Installation';
import { objectOperation, panelField } from '../lib/operations/Operation';
import { digestFiles, moduleFacts, publishedDigests } from '../lib/release/release';
import type { RequestContext } from '../lib/requests/RequestContext';
import { rfc3339OfSeconds } from '../lib/time/time';

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
      object('The software that it runs on.', {
        node: required(text('Version of Node.')),
        database: required(text('Kind and version of the database.')),
      }),
    ),
    checks: required(
      listOf(
        'The checks.',
        object('A check.', {
          id: required(text('Identifier of the check.')),
          title: required(text('Subject of the check.')),
          status: required(oneOf('Its result.', CHECK_STATUSES)),
          detail: text('The finding; null if there is none.'),
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

async function auditRelease(context: RequestContext, mount: Mount) {
  const { options, database, migrations } = mount;
  const [checks, history, { kind, version }] = await Promise.all([
    Promise.all(releaseChecks(context, mount).map((check) => auditCheck(check, mount))),
    migrations.history(),
    databaseFacts(database),
  ]);
  return {
    status: worstStatus(checks),
    panel: options.panel,
    module: moduleFacts(),
    runtime: { node: process.versions.node, database: `${kind} ${version}` },
    checks,
    history: history.map(({ name, appliedAt }) => ({ name, applied_at: rfc3339OfSeconds(appliedAt) })),
  };
}

async function auditCheck({ id, title, run }: ReleaseCheck, mount: Mount) {
  const { status, detail } = await runCheck(id, run, mount);
  return { id, title, status, detail: detail === undefined ? null : printable(detail, 2000) };
}

function releaseChecks({ secure, addressForgeable }: RequestContext, mount: Mount): readonly ReleaseCheck[] {
  const { migrations, options, sources, tokens } = mount;
  const counts = tokens.countWarnings();
  return [
    { id: 'migrations', title: 'Migrations are applied', run: () => checkMigrations(migrations) },
    { id: 'files', title: 'Files are as published', run: () => checkFiles() },
    { id: 'node', title: "Node's line is supported", run: () => checkNode(process.version, new Date()) },
    { id: 'https', title: 'HTTPS stands in front', run: () => checkHttps(secure) },
    {
      id: 'client_address',
      title: 'Clients cannot forge their address',
      run: () => (addressForgeable ? { status: 'warn', detail: FORGEABLE_ADDRESS } : { status: 'pass' }),
    },
    {
      id: 'tokens_without_expiry',
      title: 'Tokens that never expire',
      run: async () => checkTokens((await counts).everlasting),
    },
    {
      id: 'tokens_with_every_scope',
      title: 'Tokens with every scope',
      run: async () => checkTokens((await counts).wildcard),
    },
    {
      id: 'tokens_unused',
      title: 'Tokens unused for 90 days',
      run: async () => checkTokens((await counts).unused),
    },
    ...[...sources].map(([name, source]) => ({
      id: `source_${name}`,
      title: `The source of ${name} answers`,
      run: () => checkSource(name, source, mount),
    })),
    ...options.releaseChecks,
  ];
}

function checkHttps(secure: boolean): CheckResult {
  if (secure) return { status: 'pass' };
  return {
    status: 'warn',
    detail: 'This request came without HTTPS. Behind a proxy, let Koa trust its headers (app.proxy = true).',
  };
}

const MOST_NAMED = 10;

/** Checks whether the module's files are those that it was published with. */
export async function checkFiles(folder = join(__dirname, '..')): Promise<CheckResult> {
  const published = await publishedDigests(folder);
  if (!published) return { status: 'warn', detail: 'The module runs from its source and was not published.' };
  const present = await digestFiles(folder);
  const names = new Set([...Object.keys(published), ...Object.keys(present)]);
  const changed = [...names].filter((name) => published[name] !== present[name]);
  if (changed.length === 0) return { status: 'pass', detail: `${names.size} files are as published.` };
  return { status: 'fail', detail: `Not as published: ${changed.slice(0, MOST_NAMED).join(', ')}.` };
}

/** The last day of support of each line of Node, from the release schedule of the Node project. */
const LAST_DAYS: Readonly<Record<string, string>> = {
  20: '2026-04-30',
  22: '2027-04-30',
  24: '2028-04-30',
  26: '2029-04-30',
};

/** Checks whether Node's line still gets security fixes. */
export function checkNode(version: string, now: Date): CheckResult {
  const line = /^v?(\d+)/.exec(version)?.[1] ?? '';
  const lastDay = LAST_DAYS[line];
  if (lastDay === undefined)
    return { status: 'warn', detail: `Node ${line} is no long-term line that is known here.` };
  const supported = now < new Date(`${lastDay}T23:59:59Z`);
  return supported
    ? { status: 'pass', detail: `Node ${line} is supported until ${lastDay}.` }
    : { status: 'warn', detail: `Support of Node ${line} ended on ${lastDay}.` };
}

/** Warns of active tokens that an administrator should look at. */
function checkTokens(count: number): CheckResult {
  return count === 0
    ? { status: 'pass', detail: 'None.' }
    : { status: 'warn', detail: `${count} active ${count === 1 ? 'token' : 'tokens'}.` };
}
