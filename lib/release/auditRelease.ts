import { worstStatus } from '../checks/Check';
import { checkMigrations } from '../checks/checkMigrations';
import { checkSource } from '../checks/checkSource';
import { runCheck } from '../checks/runCheck';
import { databaseFacts } from '../database/databaseFacts';
import type { Installation } from '../Installation';
import type { PanelLog } from '../log/PanelLog';
import { type Call, FORGEABLE_ADDRESS } from '../operations/Call';
import type { CheckResult, ReleaseCheck } from '../options/MountOptions';
import { printable } from '../text/printable';
import { rfc3339OfSeconds } from '../time/rfc3339';
import { checkFiles } from './checkFiles';
import { checkNode } from './checkNode';
import { checkTokens } from './checkTokens';
import { moduleFacts } from './moduleFacts';

/** What runs here, whether it is as it was published, and what an administrator should look at. */
export async function auditRelease(call: Call, installation: Installation) {
  const { options, database, log, migrations } = installation;
  const [checks, history, { kind, version }] = await Promise.all([
    Promise.all(
      releaseChecks(call, installation).map((check) => auditCheck(check, options.deadlineMs / 2, log)),
    ),
    migrations.history(),
    databaseFacts(database),
  ]);
  return {
    status: worstStatus(checks.map(({ status }) => status)),
    panel: options.panel,
    module: moduleFacts(),
    runtime: {
      node: process.versions.node,
      database: `${kind} ${version}`,
    },
    checks,
    history: history.map(({ name, appliedAt }) => ({ name, applied_at: rfc3339OfSeconds(appliedAt) })),
  };
}

async function auditCheck({ id, title, run }: ReleaseCheck, patienceMs: number, log: PanelLog) {
  const { status, detail } = await runCheck(run, patienceMs, (error) => log.checkFailed(id, error));
  return { id, title, status, detail: detail === undefined ? null : printable(detail, 2000) };
}

function releaseChecks(
  { secure, addressForgeable }: Call,
  installation: Installation,
): readonly ReleaseCheck[] {
  const { migrations, options, sources, tokens } = installation;
  const counts = tokens.countDoubtful();
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
      run: () => checkSource(name, source, installation),
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
