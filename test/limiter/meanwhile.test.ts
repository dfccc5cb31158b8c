import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { gatheringSwitch } from '../fixture/gatheringSwitch';
import { startPanel, type TestPanel } from '../fixture/panel';
import { createPanelTables } from '../fixture/panelTables';
import { awayFromHourEnd, HOUR } from './awayFromHourEnd';

const DOMAINS = '/api/v1/domains.php';
// More than one statement reads at once.
const MANY_JOBS = 1500;

async function fill(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  await knex('domains').insert([{ id: 1, account_id: 1 }]);
  const jobs = Array.from({ length: MANY_JOBS }, (_, index) => ({ id: index + 1, status: 'queued' }));
  await knex.batchInsert('jobs', jobs, 100);
}

describeEachEngine('A request that is refused for the limit', (engine) => {
  const door = gatheringSwitch();
  let database: TestDatabase;
  let panel: TestPanel;
  let statements: string[];

  beforeEach(async () => {
    statements = [];
    database = await freshDatabase(engine);
    await fill(database.knex);
    panel = await startPanel({
      db: database.knex,
      enabled: door.enabled,
      rateLimit: { requests: 2, windowSeconds: HOUR },
    });
    database.knex.on('query', ({ sql }: { sql: string }) => statements.push(sql.toLowerCase()));
    await awayFromHourEnd();
  });

  afterEach(async () => {
    await panel?.close();
    await database?.drop();
  });

  const statuses = async (path: string, token: string, requests: number) => {
    door.gather(requests);
    const answers = await Promise.all(Array.from({ length: requests }, () => panel.get(path, token)));
    door.gather(1);
    return answers.map(({ status }) => status).sort();
  };

  test("has nothing of the panel's read once the token is known to have used up its limit", async () => {
    const token = await panel.token();
    for (const expected of [200, 200]) expect((await panel.get(DOMAINS, token)).status).toBe(expected);
    await panel.api.usage.flush();
    statements = [];
    expect((await panel.get(DOMAINS, token)).status).toBe(429);
    expect(statements.filter((sql) => /from\W+domains/.test(sql))).toEqual([]);
    expect(statements.filter((sql) => sql.includes('panel_api_rate_limits'))).toHaveLength(1);
  });

  test('is told so whatever else is wrong with it', async () => {
    const token = await panel.token({ scopes: ['profile.read'] });
    expect(await statuses(DOMAINS, token, 4)).toEqual([403, 403, 429, 429]);
  });
});

describe.each(['mariadb', 'postgresql'] as const)('A request that is being counted in %s', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let calls = 0;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await fill(database.knex);
    const rows = () => {
      calls += 1;
      return [];
    };
    const cron = { fields: ['id', 'schedule', 'command', 'enabled'], rows } as const;
    const rateLimit = { requests: 100, windowSeconds: HOUR };
    panel = await startPanel({ db: database.knex, rateLimit, sources: { cron } });
  });

  beforeEach(async () => {
    token = await panel.token();
    await awayFromHourEnd();
    await panel.get(DOMAINS, token);
  });

  afterEach(() => {
    database.knex.removeAllListeners();
  });

  afterAll(async () => {
    await panel?.close();
    await database?.drop();
  });

  /** Once a statement that holds this word has been answered. */
  const answered = (word: RegExp) =>
    new Promise<void>((resolve) => {
      database.knex.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
        if (word.test(sql)) resolve();
      });
    });

  /** The answer of a request, and what `look` saw while the request could not be counted. */
  const whileCounted = async (path: string, look: (asked: Promise<unknown>) => Promise<unknown>) => {
    const { asked } = await database.knex.transaction(async (holder) => {
      await holder('panel_api_rate_limits').select('hits').forUpdate();
      const asked = panel.get(path, token);
      await look(asked);
      return { asked };
    });
    return asked;
  };

  test('has its list read meanwhile, and is answered only when it was counted', async () => {
    const read = answered(/from\W+domains/i);
    const { status } = await whileCounted(DOMAINS, async (asked) => {
      await read;
      expect(await Promise.race([asked, sleep(100, 'not answered')])).toBe('not answered');
    });
    expect(status).toBe(200);
  });

  test('begins no reading of a long list', async () => {
    const readings: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => {
      if (/read only/i.test(sql)) readings.push(sql);
    });
    const read = answered(/from\W+jobs/i);
    const { status } = await whileCounted('/api/v1/jobs.php', async () => {
      await read;
      await sleep(100);
      expect(readings).toEqual([]);
    });
    expect([status, readings.length]).toEqual([200, 1]);
  });

  test("calls no function of the panel's", async () => {
    const admitted = answered(/from\W+panel_api_tokens|join\W+panel_api_tokens/i);
    const { status } = await whileCounted('/api/v1/cron.php?limit=10', async () => {
      await admitted;
      await sleep(100);
      expect(calls).toBe(0);
    });
    expect([status, calls]).toEqual([200, 1]);
  });
});
