import crypto, { randomBytes } from 'node:crypto';
import Koa from 'koa';
import { createApiSection } from '../../../index';
import { tokenHash } from '../../../lib/tokens/tokenFormat';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { type Engine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { OutsideCalls, SECRET } from '../../fixture/faults/OutsideCalls';
import { keepLine } from '../../fixture/kept';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createFilledTables, SHOWN_SETTINGS } from '../../fixture/panelTables';
import { redisClients } from '../../fixture/redisClients';
import { SECTION } from '../../fixture/section/sectionPanel';
import { serverUrl } from '../../servers/serverUrl';

export const DEADLINE_MS = 200;

export interface AnomalyPanel {
  readonly calls: OutsideCalls;
  readonly database: TestDatabase;
  readonly panel: TestPanel;
  readonly token: string;
  /** Every line that the panel's logger was to write. */
  readonly lines: readonly LoggedLine[];
  /** Returns the errors that reached the panel since the last call. Jest itself fails a test for a rejection. */
  readonly unexpected: () => string[];
  /** Returns a problem for each secret that a text shows. */
  readonly shown: (text: string) => string[];
}

interface LoggedLine {
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
}

/**
 * A panel with the section, of which every call that leaves the module may go wrong. `redis` names the client of
 * `redisClients` with which it counts requests.
 */
export async function startAnomalyPanel(
  engine: Engine,
  { ofProcess = false, redis: redisClient = '' } = {},
): Promise<AnomalyPanel> {
  const calls = new OutsideCalls();
  const database = await freshDatabase(engine);
  await createFilledTables(database.knex);
  calls.wrapHandle(engine, database.knex);
  if (ofProcess) wrapProcess(calls);
  const lines: LoggedLine[] = [];
  const write = (message: string, fields: object) => {
    lines.push({ message, ...fields });
    keepLine(message, fields);
    return calls.call('logger', () => undefined);
  };
  const { add, take } = unexpected();
  const app = new Koa();
  app.on('error', add);
  // The section needs the API, which is created together with the server.
  let section: Koa.Middleware | undefined;
  app.use((ctx, next) => (section ? section(ctx, next) : next()));
  const redis = redisClient ? (await redisClients[redisClient]!(await serverUrl('redis'))).store : null;
  const panel = await startPanel(
    {
      db: database.knex,
      deadlineMs: DEADLINE_MS,
      logger: { info: write, warn: write, error: write },
      enabled: () => calls.call('switch', () => true),
      rateLimit: { requests: 1_000_000, windowSeconds: 3600, ...(redis && { store: redis }) },
      // All tests share Redis.
      ...(redis && { tablePrefix: `a${randomBytes(6).toString('hex')}_` }),
      sources: {
        settings: { keys: SHOWN_SETTINGS },
        jobs: {
          rows: () => calls.call('function', () => [{ id: 1, type: 'site.deploy', status: 'running' }]),
          fields: ['id', 'type', 'status'],
        },
      },
      releaseChecks: [
        { id: 'own', title: 'Own', run: () => calls.call('function', () => ({ status: 'pass' as const })) },
      ],
    },
    app,
  );
  const authorize = () => calls.call('authorize', () => 'ann');
  section = createApiSection({ api: panel.api, authorize, prefix: SECTION }).routes() as Koa.Middleware;
  const token = await repeated(() => panel.token());
  await repeated(() => {
    // The document that checks the answers is created anew.
    panel.tablesChanged();
    return panel.get('/api/v1/me.php', token);
  });
  // Each limiter defines its command when it is created, also that of the document which checks the answers.
  if (redis) calls.wrapRedis(redis);
  const secrets = [SECRET, token, tokenHash(token).toString('hex'), 'panel_api_tokens'];
  const shown = (text: string) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} is shown`);
  return { calls, database, panel, token, lines, unexpected: take, shown };
}

/** Makes the clock and the randomness of this process calls, until the end of the test file. */
function wrapProcess(calls: OutsideCalls): void {
  const { randomUUID, randomInt, randomBytes } = crypto;
  calls.wrap('random', crypto, ['randomUUID', 'randomInt', 'randomBytes']);
  closeAtEnd(() => Object.assign(crypto, { randomUUID, randomInt, randomBytes }));
  closeAtEnd(calls.wrapClock());
}

/** Errors that reached the panel. */
function unexpected() {
  const found: string[] = [];
  const add = (error: unknown) => {
    try {
      found.push(`unexpected: ${error}`);
    } catch {
      found.push('unexpected: an error that cannot be read');
    }
  };
  return { add, take: () => found.splice(0) };
}

/** On a busy machine, the first use of a panel may exceed the deadline. */
export async function repeated<T>(task: () => Promise<T>, times = 20): Promise<T> {
  return task().catch((error) => {
    if (times === 1) throw error;
    return repeated(task, times - 1);
  });
}
