import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeEachEngine,
  describeOneEngine,
  freshDatabase,
  type TestDatabase,
} from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { until } from '../../fixture/until';
import { writtenRequests } from '../../fixture/writtenRequests';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';
const FAILED = 'panel-api usage not written';
const RECOVERED = 'panel-api usage written again';
const TABLE = 'panel_api_usage';

const mountOn = (database: TestDatabase, options: Partial<Parameters<typeof startPanel>[0]> = {}) =>
  startPanel({ db: database.knex, rateLimit: { requests: 100_000 }, ...options });

const create = ({ api }: TestPanel) => api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);

/** Collects when each write begins, from now on. */
const watchWritesOf = ({ knex }: TestDatabase) => {
  const begun: number[] = [];
  knex.on('query', ({ sql }: { sql: string }) => {
    // The rows of all tokens, which are written last, do not have the column.
    if (/^insert into .?panel_api_usage\b.*last_at/i.test(sql)) begun.push(performance.now());
  });
  return begun;
};

describeEachEngine('The writer of the counts', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  test('keeps counts that it cannot write, warns once, and writes them when it can', async () => {
    const panel = await mountOn(database);
    const { token, record } = await create(panel);
    await database.knex.schema.renameTable(TABLE, 'elsewhere');
    const writes = watchWritesOf(database);
    const usageLines = () => panel.log.filter(({ message }) => message.startsWith('panel-api usage'));
    for (const attempts of [1, 2]) {
      expect((await panel.get(ME, token)).status).toBe(200);
      await until(() => writes.length >= attempts);
    }
    await expect(panel.api.usage.flush()).rejects.toThrow('The query usage.add failed');
    expect(usageLines()).toEqual([
      { level: 'warn', message: FAILED, fields: expect.objectContaining({ cause_query: 'usage.add' }) },
    ]);
    await database.knex.schema.renameTable('elsewhere', TABLE);
    await until(() => usageLines().length === 2);
    expect(usageLines()[1]).toEqual({ level: 'info', message: RECOVERED, fields: {} });
    expect(await writtenRequests(database.knex, record.id)).toBe(2);
  });

  test('fails no request with migrate: false and without its table', async () => {
    const first = await mountOn(database);
    const { token, record } = await create(first);
    await database.knex.schema.dropTable(TABLE);
    const panel = await mountOn(database, { migrate: false });
    expect((await panel.get(ME, token)).status).toBe(200);
    await until(() => panel.log.some(({ message }) => message === FAILED));
    expect((await panel.get(ME, token)).status).toBe(200);
    await database.knex('panel_api_migrations').delete();
    await mountOn(database).then(({ api }) => api.tokens.list());
    await panel.api.usage.flush();
    expect(await writtenRequests(database.knex, record.id)).toBe(2);
  });

  test('writes more keys than one statement takes', async () => {
    const { api } = await mountOn(database);
    await create({ api } as TestPanel);
    const writes = watchWritesOf(database);
    const readAt = 20_000 * 86_400;
    for (let id = 1; id <= 12_000; id += 1)
      api.usage.count({ token: { id, readAt }, endpoint: 'me', status: 200 });
    await api.usage.flush();
    expect(await writtenRequests(database.knex)).toBe(12_000);
    expect(writes).toHaveLength(3);
  });
});

describeOneEngine('The writer of the counts in any database', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  test('writes by itself, once a second at most, however many requests there are', async () => {
    const panel = await mountOn(database);
    const { token, record } = await create(panel);
    const writes = watchWritesOf(database);
    let sent = 0;
    const startedAt = performance.now();
    while (writes.length < 3) {
      await Promise.all(Array.from({ length: 5 }, () => panel.get(ME, token)));
      sent += 5;
      // Hundreds of requests show it as well as thousands.
      await sleep(20);
    }
    const seconds = (performance.now() - startedAt) / 1000;
    expect(writes.length).toBeLessThanOrEqual(Math.floor(seconds));
    await until(async () => (await writtenRequests(database.knex, record.id)) === sent);
    // One or two writes of the remaining counts, and then none.
    const last = writes.length;
    await sleep(1500);
    expect(writes.length).toBe(last);
  });

  test('sends nothing if there was no authenticated request', async () => {
    const panel = await mountOn(database);
    const writes = watchWritesOf(database);
    await panel.get(ME);
    await panel.requestLines(1);
    await panel.api.usage.flush();
    expect(writes).toEqual([]);
  });

  test('keeps two mounts in one process apart', async () => {
    const other = await freshDatabase(engine);
    const [one, two] = [await mountOn(database), await mountOn(other)];
    const [first, second] = [await create(one), await create(two)];
    expect(first.record.id).toBe(second.record.id);
    await one.get(ME, first.token);
    for (let request = 0; request < 3; request += 1) await two.get(ME, second.token);
    await Promise.all([one.api.usage.flush(), two.api.usage.flush()]);
    expect(await writtenRequests(database.knex)).toBe(1);
    expect(await writtenRequests(other.knex)).toBe(3);
  });
});
