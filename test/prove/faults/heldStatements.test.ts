import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import Koa from 'koa';
import { freshDatabase, openHandle, type TestDatabase } from '../../fixture/databases';
import { HeldTables } from '../../fixture/faults/heldTables';
import { handleSettings } from '../../fixture/handleSettings';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { figure } from '../figure';
import { isWhole, scaled } from '../scale';
import '../../fixture/tryAgain';

const SECONDS = scaled({ fast: 2, full: 150 });
const DEADLINE_MS = isWhole ? 5000 : 1000;
const POOL = 10;
/** How often each token asks, in milliseconds: 86 times a minute, so within its limit. */
const PAUSE_MS = 700;
/** How soon all must be well again, in milliseconds. In `npm test` other tests run at the same time. */
const RECOVERY_MS = isWhole ? 2000 : 10_000;
const ROWS = 5000;

jest.setTimeout((SECONDS + 120) * 1000);

// No row matches, and each takes a hundredth of a second, so that a search takes long.
const SLOW_ROW = {
  mariadb: 'sleep(0.01) = 1',
  postgresql: "cast(pg_sleep(0.01) as text) = 'never'",
} as const;

const OWN_TABLES = [
  'tokens',
  'rate_limits',
  'settings',
  'usage',
  'usage_tokens',
  'refusals',
  'audit_log',
].map((name) => `panel_api_${name}`);

describe.each(['mariadb', 'postgresql'] as const)('While statements are held up (%s)', (engine) => {
  let database: TestDatabase;
  let tables: HeldTables;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    const settings = handleSettings(database);
    const alone = () => openHandle({ ...settings, pool: { min: 1, max: 1 } });
    tables = new HeldTables(engine, alone(), alone());
    const db = openHandle({ ...settings, pool: { min: 0, max: POOL }, log: { warn: () => undefined } });
    await db.schema.createTable('domains', (table) => {
      table.integer('id').primary();
      for (const name of ['domain', 'type', 'ssl_status', 'status']) table.string(name, 64);
    });
    const domains = Array.from({ length: ROWS }, (_, id) => ({
      id,
      domain: `d${id}.example`,
      type: 'addon',
      ssl_status: 'valid',
      status: 'active',
    }));
    await db.batchInsert('domains', domains, 1000);
    const page: Koa.Middleware = async (context, next) => {
      if (context.path !== '/page') return next();
      await db.raw('select 1');
      context.body = 'ok';
    };
    const domainsSlowly = (knex: Knex) => knex('domains').whereRaw(SLOW_ROW[engine]);
    panel = await startPanel(
      {
        db,
        deadlineMs: DEADLINE_MS,
        sources: {
          domains: { table: 'domains' },
          websites: { query: domainsSlowly, fields: { id: 'id', domain: 'domain', status: 'status' } },
        },
      },
      new Koa().use(page),
    );
  });

  test("by a lock on the panel's table, the panel keeps its connections, and all is well after it", async () => {
    const tokens = await threeTokens();
    await tables.hold(['domains']);
    await expectCalm(tokens, 'domains.php', "locked table of the panel's");
    await tables.release();
    await expectRecovery(tokens, 'domains.php');
  });

  test("by a lock on the module's tables, the panel keeps its connections, and all is well after it", async () => {
    const tokens = await threeTokens();
    await tables.hold(OWN_TABLES);
    await expectCalm(tokens, 'domains.php', "locked tables of the module's");
    await tables.release();
    await expectRecovery(tokens, 'domains.php');
  });

  test('because lists read long tables, no statement outlives its request', async () => {
    const tokens = await threeTokens();
    await expectCalm(tokens, 'websites.php', 'scans');
    await expectRecovery(tokens, 'domains.php');
    const end = performance.now() + RECOVERY_MS;
    while ((await tables.others()).running > 0 && performance.now() < end) await sleep(100);
    expect(await tables.others()).toMatchObject({ running: 0 });
  });

  const threeTokens = async () => {
    const tokens = await Promise.all([0, 1, 2].map(() => panel.token()));
    for (const token of tokens)
      expect((await panel.get('/api/v1/domains.php?limit=1', token)).status).toBe(200);
    return tokens;
  };

  /** Asks for some time, and expects that the panel's page answers and that no statement is left behind. */
  async function expectCalm(tokens: readonly string[], list: string, name: string): Promise<void> {
    const end = performance.now() + SECONDS * 1000;
    const most = { connections: 0, running: 0 };
    const asked: Promise<unknown>[] = [];
    const asking = tokens.map(async (token, index) => {
      for (let sent = 0; performance.now() < end; sent += 1) {
        // Requests for different pages share no read.
        const limit = 1 + index + tokens.length * (sent % 300);
        asked.push(panel.get(`/api/v1/${list}?limit=${limit}`, token).catch((error) => error));
        await sleep(PAUSE_MS);
      }
    });
    const pages: unknown[] = [];
    while (performance.now() < end) {
      const { connections, running } = await tables.others();
      most.connections = Math.max(most.connections, connections);
      most.running = Math.max(most.running, running);
      pages.push(await fetch(`${panel.url}/page`).then(({ status }) => status, String));
      await sleep(200);
    }
    await Promise.all(asking);
    await Promise.all(asked);
    figure(`${name} (${engine}): seconds`, SECONDS);
    figure(
      `${name} (${engine}): connections and running statements at most`,
      `${most.connections}, ${most.running}`,
    );
    expect(new Set(pages)).toEqual(new Set([200]));
    expect(most.running).toBeGreaterThan(0);
    // One statement more is the page's.
    expect(most.running).toBeLessThanOrEqual(POOL / 2 + 1);
    expect(most.connections).toBeLessThanOrEqual(POOL);
  }

  async function expectRecovery(tokens: readonly string[], list: string): Promise<void> {
    const end = performance.now() + RECOVERY_MS;
    const statuses = async () => {
      const answers = tokens.map((token) => panel.get(`/api/v1/${list}?limit=1`, token));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    let last = await statuses();
    while (last.some((status) => status === 503) && performance.now() < end) last = await statuses();
    // The requests before may have used up the limit.
    expect(last.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  }
});
