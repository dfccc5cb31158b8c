import {
  describeEachEngine,
  describeOneEngine,
  freshDatabase,
  type TestDatabase,
} from '../../fixture/databases';
import { laterBy } from '../../fixture/laterBy';
import { startPanel } from '../../fixture/panel';
import { createFilledTables, createPanelTables } from '../../fixture/panelTables';

const startOver = async ({ knex }: TestDatabase, sources = {}) => {
  const panel = await startPanel({ db: knex, sources, rateLimit: { requests: 10_000 } });
  const token = await panel.token();
  return { panel, get: (name: string) => panel.get(`/api/v1/${name}.php`, token) };
};

type Started = Awaited<ReturnType<typeof startOver>>;

const sourceCheck = async (get: Started['get'], name: string) =>
  (await get('health')).body.data.checks.find((check: { name: string }) => check.name === `source:${name}`);

describeEachEngine('A source', (engine) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await freshDatabase(engine);
  });

  afterEach(async () => {
    for (const table of ['accounts', 'domains', 'jobs']) await database.knex.schema.dropTableIfExists(table);
  });

  const start = (sources = {}) => startOver(database, sources);

  test('that has no table answers 501 alone, and health and the log say what is missing', async () => {
    await createPanelTables(database.knex, ['domains']);
    const { panel, get } = await start();
    expect((await get('jobs')).body.error.code).toBe('resource_unavailable');
    expect((await get('domains')).status).toBe(200);
    expect(await sourceCheck(get, 'jobs')).toMatchObject({
      status: 'warn',
      detail: 'The table jobs does not exist.',
    });
    expect(panel.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        fields: { resource: 'jobs', missing: ['The table jobs does not exist.'] },
      }),
    );
  });

  test('that lacks a column for a required field answers 501 and names column and field', async () => {
    await database.knex.schema.createTable('domains', (table) => {
      table.increments('id');
      table.string('domain');
    });
    const { get } = await start();
    expect((await get('domains')).status).toBe(501);
    expect(await sourceCheck(get, 'domains')).toMatchObject({
      detail:
        'The table domains has no column type (field type). ' +
        'The table domains has no column ssl_status (field ssl_status). ' +
        'The table domains has no column status (field status).',
    });
  });

  test('whose key of domains is no integer answers 503 and says so', async () => {
    await database.knex.schema.createTable('domains', (table) => {
      table.string('id').primary();
      for (const column of ['domain', 'type', 'ssl_status', 'status']) table.string(column);
    });
    const { get } = await start();
    expect((await get('domains')).status).toBe(503);
    expect(await sourceCheck(get, 'domains')).toMatchObject({
      status: 'fail',
      detail: expect.stringContaining('must be an integer'),
    });
  });

  test('whose table is created while the panel runs is served five seconds later', async () => {
    const { panel, get } = await start();
    expect((await get('accounts')).status).toBe(501);
    await createPanelTables(database.knex, ['accounts']);
    panel.tablesChanged();
    laterBy(5000);
    expect((await get('accounts')).status).toBe(200);
  });

  test('whose column is removed while the panel runs answers 501 until five seconds after the column is back', async () => {
    await createPanelTables(database.knex, ['jobs']);
    const { get } = await start();
    expect((await get('jobs')).status).toBe(200);
    await database.knex.schema.alterTable('jobs', (table) => table.renameColumn('status', 'state'));
    expect((await get('jobs')).status).toBe(501);
    await database.knex.schema.alterTable('jobs', (table) => table.renameColumn('state', 'status'));
    laterBy(5000);
    expect((await get('jobs')).status).toBe(200);
  });

  test('whose optional column is removed while the panel runs is served without it from then on', async () => {
    await createPanelTables(database.knex, ['jobs']);
    await database.knex('jobs').insert({ type: 'deploy', status: 'queued', actor: 'anna' });
    const { panel, get } = await start();
    expect((await get('jobs')).body.data.items[0]).toMatchObject({ actor: 'anna' });
    await database.knex.schema.alterTable('jobs', (table) => table.dropColumn('actor'));
    panel.tablesChanged();
    const { status, body } = await get('jobs');
    expect([status, Object.keys(body.data.items[0]).includes('actor')]).toEqual([200, false]);
  });

  test('whose column is removed answers 501 to all requests at the same time', async () => {
    await createPanelTables(database.knex, ['jobs']);
    const { get } = await start();
    expect((await get('jobs')).status).toBe(200);
    await database.knex.schema.alterTable('jobs', (table) => table.renameColumn('status', 'state'));
    const answers = await Promise.all(Array.from({ length: 40 }, () => get('jobs')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([501]));
  });

  test('with a string key has ids that are strings', async () => {
    await database.knex.schema.createTable('jobs', (table) => {
      table.string('id').primary();
      table.string('type');
      table.string('status');
    });
    await database.knex('jobs').insert({ id: '007', type: 'deploy', status: 'queued' });
    const { get } = await start();
    expect((await get('jobs')).body.data.items[0].id).toBe('007');
  });

  test('translates a boolean however the database spells it', async () => {
    await database.knex.schema.createTable('jobs', (table) => {
      table.increments('id');
      table.string('type');
      table.boolean('done');
      table.string('actor');
    });
    await database.knex('jobs').insert([
      { type: 'a', done: true, actor: 'x' },
      { type: 'b', done: false, actor: 'root' },
    ]);
    const { get } = await start({
      jobs: {
        fields: {
          status: { column: 'done', values: { true: 'succeeded', false: 'queued' } },
          actor: { values: { root: 'system' } },
        },
      },
    });
    expect((await get('jobs')).body.data.items).toEqual([
      { id: 1, type: 'a', status: 'succeeded', actor: null },
      { id: 2, type: 'b', status: 'queued', actor: 'system' },
    ]);
  });
});

describeOneEngine('A source of any database', (engine) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await freshDatabase(engine);
  });

  const start = (sources = {}) => startOver(database, sources);

  test('that has no table answers 501 before the parameters are checked', async () => {
    const { panel } = await start();
    const { body } = await panel.get('/api/v1/jobs.php?limit=none', await panel.token());
    expect(body.error.code).toBe('resource_unavailable');
  });

  test('that lacks a column for an optional field leaves the field out', async () => {
    await database.knex.schema.createTable('jobs', (table) => {
      table.increments('id');
      table.string('type');
      table.string('status');
    });
    await database.knex('jobs').insert({ type: 'deploy', status: 'queued' });
    const { get } = await start();
    expect((await get('jobs')).body.data.items).toEqual([{ id: 1, type: 'deploy', status: 'queued' }]);
  });

  test('may name another table, other columns, and translate values', async () => {
    await database.knex.schema.createTable('site_domain', (table) => {
      table.increments('domain_id');
      table.string('name');
      table.string('kind');
      table.string('active', 1);
      table.integer('cert');
    });
    await database.knex('site_domain').insert([
      { name: 'a.example', kind: 'vhost', active: 'y', cert: 1 },
      { name: 'b.example', kind: 'odd', active: 'n', cert: 0 },
    ]);
    const { get } = await start({
      domains: {
        table: 'site_domain',
        fields: {
          id: 'domain_id',
          domain: 'name',
          type: { column: 'kind', values: { vhost: 'primary' } },
          ssl_status: { column: 'cert', values: { 1: 'active', 0: 'none' } },
          status: { column: 'active', values: { y: 'active', n: 'suspended' } },
          created_at: false,
        },
      },
    });
    expect((await get('domains')).body.data.items).toEqual([
      { id: 1, domain: 'a.example', type: 'primary', ssl_status: 'active', status: 'active' },
      { id: 2, domain: 'b.example', type: 'unknown', ssl_status: 'none', status: 'suspended' },
    ]);
  });

  test('switched off with false answers 501 and is not in the OpenAPI document', async () => {
    await createPanelTables(database.knex);
    const { get } = await start({ cron: false });
    expect((await get('cron')).status).toBe(501);
    expect(await sourceCheck(get, 'cron')).toMatchObject({ status: 'pass' });
    expect(Object.keys((await get('openapi')).body.data.document.paths)).not.toContain('/api/v1/cron.php');
  });

  test('may switch off a field that would be derived', async () => {
    await createPanelTables(database.knex, ['jobs']);
    await database.knex('jobs').insert({ type: 'a', status: 'b' });
    const { get } = await start({ jobs: { fields: { duration_ms: false } } });
    expect((await get('jobs')).body.data.items[0]).not.toHaveProperty('duration_ms');
  });

  test('that is missing fails no request if the logger fails', async () => {
    const warn = () => Promise.reject(new Error('full'));
    const panel = await startPanel({ db: database.knex, logger: { info: warn, warn, error: warn } });
    expect((await panel.get('/api/v1/jobs.php', await panel.token())).status).toBe(501);
  });

  test('leaves settings empty if the panel allows none', async () => {
    await createFilledTables(database.knex);
    const { get } = await start();
    expect((await get('settings')).body.data.items).toEqual([]);
  });
});
