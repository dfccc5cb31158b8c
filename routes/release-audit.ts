import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FORGEABLE_ADDRESS } from '../lib/addresses/requestOrigin';
import { printable } from '../lib/errors/printable';
import { listOf, nullable, object, oneOf, text, time } from '../lib/fields';
import { API_PATH, panelField } from '../lib/fields/Operation';
import { checkMigrations, checkReadDatabase, databaseFacts } from '../lib/health/databaseChecks';
import { digestFolders, PUBLISHED_FILE } from '../lib/health/digests';
import { published } from '../lib/health/published';
import {
  CHECK_STATUSES,
  type CheckResult,
  type ReleaseCheck,
  runCheck,
  worstStatus,
} from '../lib/health/runCheck';
import { runtimeCheck } from '../lib/health/runtimeCheck';
import type { Installation } from '../lib/Installation';
import { hideCredentials } from '../lib/masking/credentials';
import type { RequestContext } from '../lib/requests/Endpoint';
import { rfc3339OfSeconds } from '../lib/time/time';
import { objectOperation } from './objectOperation';

export const releaseAudit = objectOperation({
  name: 'release-audit',
  scope: 'platform.read',
  tag: 'Platform and health',
  title: 'Release audit',
  description: 'Versions of the installed software, checks of the installation, and the applied migrations.',
  serverWide: true,
  fields: {
    status: oneOf('Worst status of all checks.', CHECK_STATUSES),
    panel: panelField,
    module: object('The module that provides the API.', {
      name: text('Name of the module, koa-panel-api.'),
      version: text('Version of the module.'),
    }),
    runtime: object('Software that the module runs on.', {
      node: text('Version of Node.js; in Bun and Deno, of the Node.js whose interfaces they have.'),
      database: text('Name and version of the database system.'),
    }),
    checks: listOf(
      'Checks of the installation.',
      object('One check.', {
        id: text('Identifier of the check.'),
        title: text('Subject of the check.'),
        status: oneOf('Status of the check.', CHECK_STATUSES),
        detail: nullable(text('Finding of the check; null if there is none.')),
      }),
    ),
    history: listOf(
      "Applied migrations of the module's tables, the oldest first.",
      object('One migration.', {
        name: text('Name of the migration.'),
        applied_at: time('Time when the migration was applied.'),
      }),
    ),
  },
  alike: ({ secure, addressForgeable, clientIp }) => `${secure} ${addressForgeable} ${isKnown(clientIp)}`,
  load: auditRelease,
});

async function auditRelease(context: RequestContext, mount: Installation) {
  const { options, database, migrations } = mount;
  const [checks, history, { kind, version }] = await Promise.all([
    Promise.all(releaseChecks(context, mount).map((check) => auditCheck(check, mount))),
    migrations.history(),
    databaseFacts(database),
  ]);
  return {
    status: worstStatus(checks),
    panel: options.panel,
    module: { name: published.name, version: published.version },
    runtime: { node: process.versions.node, database: `${kind} ${version}` },
    checks,
    history: history.map(({ name, appliedAt }) => ({ name, applied_at: rfc3339OfSeconds(appliedAt) })),
  };
}

async function auditCheck({ id, title, run }: ReleaseCheck, mount: Installation) {
  const { status, detail } = await runCheck(id, async () => checked(await run()), mount);
  return {
    id,
    title,
    status,
    // Each part of a list may have dozens of findings.
    detail: detail === undefined ? null : printable(hideCredentials(detail), 50_000),
  };
}

/** Returns the result of a check of the panel's, which may be any value. Throws a TypeError if it is none. */
function checked({ status, detail }: CheckResult): CheckResult {
  if (!CHECK_STATUSES.includes(status)) throw new TypeError('A check returned no status.');
  return typeof detail === 'string' ? { status, detail } : { status };
}

function releaseChecks(
  { secure, addressForgeable, clientIp }: RequestContext,
  mount: Installation,
): readonly ReleaseCheck[] {
  const { migrations, options, tokens, database, readDatabase, listChecks } = mount;
  const counting = tokens.countWarnings();
  // An administrator should look at these active tokens.
  const tokenCheck = (id: string, title: string, warning: keyof Awaited<typeof counting>): ReleaseCheck => ({
    id,
    title,
    async run() {
      const { [warning]: count } = await counting;
      if (count === 0) return { status: 'pass', detail: 'None.' };
      return { status: 'warn', detail: `${count} active ${count === 1 ? 'token' : 'tokens'}.` };
    },
  });
  const readCheck: ReleaseCheck = {
    id: 'read_database',
    title: 'Lists are read from the same schema',
    run: () => checkReadDatabase(database, readDatabase),
  };
  const { apiUrl, deadlineMs } = options;
  const ownAddress: readonly ReleaseCheck[] = apiUrl
    ? [
        {
          id: 'own_address',
          title: 'Answers arrive with their headers',
          // Sooner than the limit of every check, which would be its finding otherwise.
          run: () => checkOwnAddress(apiUrl, deadlineMs / 3),
        },
      ]
    : [];
  return [
    { id: 'migrations', title: 'Migrations are applied', run: () => checkMigrations(migrations.pending()) },
    { id: 'files', title: 'Module files match the published package', run: () => checkFiles() },
    runtimeCheck(),
    { id: 'https', title: 'Requests arrive over HTTPS', run: warnIf(!secure, NO_HTTPS) },
    {
      id: 'client_address',
      title: 'Clients cannot forge their address',
      run: isKnown(clientIp) ? warnIf(addressForgeable, FORGEABLE_ADDRESS) : warnIf(true, NO_ADDRESS),
    },
    ...ownAddress,
    {
      id: 'installation',
      title: 'A copy of the database is told from its original',
      run: warnIf(options.installation === undefined, NO_INSTALLATION),
    },
    tokenCheck('tokens_without_expiry', 'Tokens that never expire', 'everlasting'),
    tokenCheck('tokens_with_every_scope', 'Tokens with every scope', 'wildcard'),
    tokenCheck('tokens_unused', 'Tokens not used for 90 days', 'unused'),
    ...(readDatabase === database ? [] : [readCheck]),
    ...[...listChecks].map(([name, check]) => ({
      id: `source_${name}`,
      title: `Source of ${name} works`,
      run: () => check.inspect(),
    })),
    ...options.releaseChecks,
  ];
}

const NO_INSTALLATION =
  'The mount option installation is not set, so a copy of the database answers the same tokens as its original.';

const isKnown = (clientIp: string) => clientIp !== 'unknown';

const NO_ADDRESS =
  'The address of this request is not known, because neither the connection nor a proxy named it.';

const NO_HTTPS =
  'This request came without HTTPS. Behind a proxy, set app.proxy = true in Koa, or pass { proxies: 1 } to handler() or fetcher() elsewhere, so that X-Forwarded-Proto is trusted.';

const warnIf = (isWrong: boolean, detail: string) => (): CheckResult =>
  isWrong ? { status: 'warn', detail } : { status: 'pass' };

// A bundle that is an ES module has no such name.
const FOLDER = typeof __dirname === 'string' ? join(__dirname, '..') : '';

/** Checks whether the module's files are those that it was published with. */
export async function checkFiles(folder = FOLDER, { digests } = published): Promise<CheckResult> {
  const reason = digests === null ? 'runs from source code' : 'is part of a bundle';
  if (digests === null || !existsSync(join(folder, PUBLISHED_FILE)))
    return {
      status: 'warn',
      detail: `The module ${reason}, so its files cannot be compared with a published package.`,
    };
  const present = await digestFolders(folder);
  const folders = new Set([...Object.keys(digests), ...Object.keys(present)]);
  const changed = [...folders].filter((name) => digests[name] !== present[name]);
  if (changed.length === 0) return { status: 'pass', detail: 'All files match the published package.' };
  return {
    status: 'fail',
    detail: `Folders with files that differ from the published package: ${changed.join(', ')}.`,
  };
}

/** What the answer to a request without a token has in each of these headers. */
const SENT_HEADERS: Readonly<Record<string, RegExp>> = {
  'Content-Type': /^application\/json\b/,
  'Cache-Control': /^no-store$/,
  'X-Content-Type-Options': /^nosniff$/,
  'X-Request-Id': /./,
};

/**
 * Asks the API at the address at which clients reach it whether its answers arrive with their status and headers: a framework,
 * a proxy or a cache may replace them. The question has no token, so it is refused, with a line in the log.
 */
async function checkOwnAddress(apiUrl: string, patienceMs: number): Promise<CheckResult> {
  const warn = (detail: string): CheckResult => ({
    status: 'warn',
    detail: `At the address apiUrl, ${detail}`,
  });
  const signal = AbortSignal.timeout(Math.floor(patienceMs));
  const url = `${apiUrl.replace(/\/$/, '')}${API_PATH}/me.php`;
  try {
    const { status, headers, body } = await fetch(url, { redirect: 'manual', signal });
    await body?.cancel();
    // Without HTTPS 403, and 503 while the API is off.
    if (![401, 403, 503].includes(status))
      return warn(`a request without a token is answered with ${status}.`);
    const changed = Object.keys(SENT_HEADERS).filter(
      (name) => !SENT_HEADERS[name]?.test(headers.get(name) ?? ''),
    );
    if (changed.length > 0)
      return warn(`answers have other headers than the API sent: ${changed.join(', ')}.`);
    return { status: 'pass' };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: unknown } };
    return warn(`this server gets no answer (${cause?.code ?? name}).`);
  }
}
