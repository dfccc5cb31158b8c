import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeOneEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { gatheringSwitch } from '../../fixture/gatheringSwitch';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { createPanelTables } from '../../fixture/panelTables';

const DOMAINS = '/api/v1/domains.php';
const FROM_DOMAINS = /from\W+domains/i;
// More than one statement reads at once.
const MANY_JOBS = 1500;

async function fill(knex: Knex): Promise<void> {
  await createPanelTables(knex);
  await knex('domains').insert([{ id: 1, account_id: 1 }]);
  const jobs = Array.from({ length: MANY_JOBS }, (_, index) => ({ id: index + 1, status: 'queued' }));
  await knex.batchInsert('jobs', jobs, 100);
}

describeOneEngine('A list that many request at once', (engine) => {
  const door = gatheringSwitch();
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await fill(database.knex);
    const rateLimit = { requests: 2, windowSeconds: HOUR };
    panel = await startPanel({ db: database.knex, enabled: door.enabled, rateLimit });
  });

  test('is read only for requests within the limit', async () => {
    const token = await panel.token();
    await panel.get(DOMAINS, await panel.token());
    const reads: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => {
      if (FROM_DOMAINS.test(sql)) reads.push(sql);
    });
    const requests = 150;
    door.gather(requests);
    const asked = Array.from({ length: requests }, (_, id) => panel.get(`${DOMAINS}?id=${id}`, token));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    door.gather(1);
    const counted = (wanted: number) => statuses.filter((status) => status === wanted).length;
    expect([counted(200), counted(429), reads.length]).toEqual([2, requests - 2, 2]);
  });
});

describe.each(['mariadb', 'postgresql'] as const)('A request that is alone in %s', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;
  let token: string;
  let calls = 0;
  let requests = 0;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    await fill(database.knex);
    const rows = () => {
      calls += 1;
      return [];
    };
    const cron = { fields: ['id', 'schedule', 'command', 'enabled'], rows } as const;
    const accounts = [
      { table: 'accounts', uniqueIds: true, fields: { owner_id: false } },
      { ids: 'integer', uniqueIds: true, fields: ['id', 'username', 'status'], rows },
    ] as const;
    await database.knex('accounts').insert({ id: 1, username: 'anna', status: 'active' });
    const rateLimit = { requests: 3, windowSeconds: HOUR };
    panel = await startPanel({ db: database.knex, rateLimit, sources: { cron, accounts } });
  });

  beforeEach(async () => {
    token = await panel.token();
    expect(await ask(DOMAINS)).toBe(200);
  });

  afterEach(() => {
    database.knex.removeAllListeners();
  });

  /** The status of a request that is over by then on the server too. */
  const ask = async (path: string, asked = panel.get(path, token)) => {
    const { status } = await asked;
    requests += 1;
    await panel.requestLines(requests);
    return status;
  };

  /** Resolves when a statement that contains this text has been answered. */
  const answered = (words: RegExp) =>
    new Promise<void>((resolve) => {
      database.knex.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
        if (words.test(sql)) resolve();
      });
    });

  const reads = () => {
    const seen: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => {
      if (FROM_DOMAINS.test(sql)) seen.push(sql);
    });
    return seen;
  };

  /** The status of a request, and what `look` returned while the request could not be counted. */
  const whileCounted = async (path: string, look: (asked: Promise<unknown>) => Promise<unknown>) => {
    const { asked } = await database.knex.transaction(async (holder) => {
      await holder('panel_api_rate_limits').select('hits').forUpdate();
      const asked = panel.get(path, token);
      await look(asked);
      return { asked };
    });
    return ask(path, asked);
  };

  test('has its list read while it is counted, and is answered only then', async () => {
    const read = answered(FROM_DOMAINS);
    const status = await whileCounted(DOMAINS, async (asked) => {
      await read;
      expect(await Promise.race([asked, sleep(100, 'not answered')])).toBe('not answered');
    });
    expect(status).toBe(200);
  });

  test('reads a long list only after it was counted', async () => {
    const readings: string[] = [];
    database.knex.on('query', ({ sql }: { sql: string }) => {
      if (/read only/i.test(sql)) readings.push(sql);
    });
    const read = answered(/from\W+jobs/i);
    const status = await whileCounted('/api/v1/jobs.php', async () => {
      await read;
      await sleep(100);
      expect(readings).toEqual([]);
    });
    expect([status, readings.length]).toEqual([200, 1]);
  });

  test('calls a function of the panel only after it was counted', async () => {
    const admitted = answered(/panel_api_settings/i);
    const status = await whileCounted('/api/v1/cron.php?limit=10', async () => {
      await admitted;
      await sleep(100);
      expect(calls).toBe(0);
    });
    expect([status, calls]).toEqual([200, 1]);
  });

  test('looks its account up with a function only after it was counted', async () => {
    token = await panel.token({ accountId: 1 });
    expect(await ask(DOMAINS)).toBe(200);
    calls = 0;
    const admitted = answered(/panel_api_settings/i);
    const status = await whileCounted(DOMAINS, async () => {
      await admitted;
      await sleep(100);
      expect(calls).toBe(0);
    });
    expect([status, calls]).toEqual([200, 1]);
  });

  test('is refused for the limit before any other fault', async () => {
    // As if another process had counted, which this one does not know.
    await database.knex('panel_api_rate_limits').update({ hits: 100 });
    expect(await ask(`${DOMAINS}?unknown=1`)).toBe(429);
  });

  test('reads nothing once its token was seen to have used up its limit', async () => {
    for (const expected of [200, 200]) expect(await ask(DOMAINS)).toBe(expected);
    const seen = reads();
    for (const expected of [429, 429]) expect(await ask(DOMAINS)).toBe(expected);
    expect(seen).toEqual([]);
  });

  test('reads nothing after a count that failed, until one succeeds', async () => {
    await database.knex.schema.renameTable('panel_api_rate_limits', 'elsewhere');
    expect(await ask(DOMAINS)).toBe(503);
    const seen = reads();
    for (const expected of [503, 503]) expect(await ask(DOMAINS)).toBe(expected);
    expect(seen).toEqual([]);
    await database.knex.schema.renameTable('elsewhere', 'panel_api_rate_limits');
    expect(await ask(DOMAINS)).toBe(200);
    const read = answered(FROM_DOMAINS);
    expect(await whileCounted(DOMAINS, () => read)).toBe(200);
  });
});
