import { join } from 'node:path';
import { FORGEABLE_ADDRESS } from '../addresses/clientAddress';
import type { CheckResult, ReleaseCheck } from '../checks/Check';
import { worstStatus } from '../checks/Check';
import type { Migrations } from '../database/migrations/Migrations';
import { printable } from '../errors/printable';
import type { PanelLog } from '../log/PanelLog';
import type { RequestContext } from '../requests/RequestContext';
import { rfc3339OfSeconds } from '../time/time';
import type { Tokens } from '../tokens/Tokens';
import { type CheckParts, checkMigrations, checkSource, runCheck } from './checks';
import { databaseFacts } from './databaseFacts';
import { digestFiles, moduleFacts, publishedDigests } from './moduleFacts';

/** The parts of a mount that are looked at. */
export interface AuditParts extends CheckParts {
  readonly log: PanelLog;
  readonly migrations: Migrations;
  readonly options: CheckParts['options'] & {
    readonly panel: { readonly name: string; readonly version: string };
    readonly releaseChecks: readonly ReleaseCheck[];
  };
  readonly tokens: Tokens;
}

/** What runs here, whether it is as it was published, and what an administrator should look at. */
export async function auditRelease(context: RequestContext, parts: AuditParts) {
  const { options, database, log, migrations } = parts;
  const [checks, history, { kind, version }] = await Promise.all([
    Promise.all(releaseChecks(context, parts).map((check) => auditCheck(check, options.deadlineMs / 2, log))),
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
  { secure, addressForgeable }: RequestContext,
  parts: AuditParts,
): readonly ReleaseCheck[] {
  const { migrations, options, sources, tokens } = parts;
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
      run: () => checkSource(name, source, parts),
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

/** Whether the module's files are those that it was published with. */
export async function checkFiles(folder = join(__dirname, '..', '..')): Promise<CheckResult> {
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

/** Whether Node's line still gets security fixes. */
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
