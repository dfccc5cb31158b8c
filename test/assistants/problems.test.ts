import type { Knex } from 'knex';
import { startAssistantsPanel } from '../fixture/assistants/assistantsPanel';
import { describeEachEngine, describeOneEngine, type Engine, freshDatabase } from '../fixture/databases';
import { createPanelTables } from '../fixture/panelTables';

const HOUR = 3_600_000;
const at = (hours: number) =>
  new Date(Date.now() + hours * HOUR).toISOString().slice(0, 19).replace('T', ' ');
const OFF = Object.fromEntries(
  ['domains', 'websites', 'email', 'databases', 'cron', 'services', 'settings'].map((list) => [list, false]),
);

interface Problems {
  readonly problems: readonly {
    readonly problem: string;
    readonly rows: number;
    readonly more?: true;
    readonly items: readonly Record<string, unknown>[];
  }[];
  readonly not_read: readonly unknown[];
}

async function problemsOf(db: Knex, sources: object, request: object = {}): Promise<Problems> {
  const mcp = await startAssistantsPanel({ db, sources: { ...OFF, ...sources } as never });
  const { data } = await mcp.call('panel_problems', {}, await mcp.panel.token(request));
  return data;
}

const jobs = (columns: object) => ({
  ...Object.fromEntries(['accounts', 'backups', 'ssl'].map((list) => [list, false])),
  jobs: { table: 'jobs', fields: columns },
});

/** How a column is written without a time, and how it is described. */
const WITHOUT: readonly (readonly [
  name: string,
  column: (table: Knex.CreateTableBuilder) => void,
  none: unknown,
  given: (hours: number) => unknown,
  description: object,
])[] = [
  ['NULL', (table) => table.dateTime('ended'), null, at, {}],
  ['the number 0', (table) => table.bigInteger('ended'), 0, unix, {}],
  ['the number -1', (table) => table.bigInteger('ended'), -1, unix, { null: -1, time: 'unix' }],
  ['a year far away', (table) => table.bigInteger('ended'), 4_102_444_800, unix, { null: 4_102_444_800 }],
  ['an empty text', (table) => table.string('ended'), '', at, {}],
  ['a text of zeros', (table) => table.string('ended'), '0000-00-00 00:00:00', at, { time: 'datetime' }],
  ['a time of another zone', (table) => table.dateTime('ended'), null, at, { zone: 'Europe/Berlin' }],
];

function unix(hours: number): number {
  return Math.floor(Date.now() / 1000 + hours * 3600);
}

async function failedJobs(engine: Engine, [, column, none, given, description]: (typeof WITHOUT)[number]) {
  const { knex } = await freshDatabase(engine);
  await knex.schema.createTable('jobs', (table) => {
    table.increments('id');
    table.string('type');
    table.string('status');
    table.dateTime('started_at');
    column(table);
  });
  const job = { type: 'deploy', status: 'failed', started_at: at(-5) };
  await knex('jobs').insert([
    { ...job, ended: given(-4) },
    { ...job, ended: none },
    { ...job, ended: none, started_at: at(-900) },
    { ...job, ended: given(-900) },
  ]);
  const [found] = (await problemsOf(knex, jobs({ finished_at: { column: 'ended', ...description } })))
    .problems;
  return { rows: found?.rows, ids: found?.items.map(({ id }) => Number(id)) };
}

describeEachEngine('A failure without an end', (engine) => {
  test.each(WITHOUT)('that the panel writes as %s counts by its start', async (...without) => {
    expect(await failedJobs(engine, without)).toEqual({ rows: 2, ids: [1, 2] });
  });

  test('of a list of several parts counts, also in a part that has no end', async () => {
    const { knex } = await freshDatabase(engine);
    await createPanelTables(knex, ['jobs']);
    await knex.schema.createTable('tasks', (table) => {
      table.increments('id');
      table.string('type');
      table.string('status');
      table.dateTime('started_at');
    });
    const job = { type: 'deploy', status: 'failed', started_at: at(-5) };
    await knex('jobs').insert([{ ...job, finished_at: at(-900) }, { ...job, finished_at: at(-4) }, job]);
    await knex('tasks').insert([job, { ...job, started_at: at(-900) }]);
    const parts = { ...jobs({}), jobs: [{ table: 'jobs' }, { table: 'tasks' }] };
    expect((await problemsOf(knex, parts)).problems.map(({ rows }) => rows)).toEqual([3]);
  });

  test('is shown with its reason, which is read of the shown rows alone, however many others failed', async () => {
    const { knex } = await freshDatabase(engine);
    await createPanelTables(knex, ['jobs']);
    const many = Array.from({ length: 10_050 }, (_, index) => ({
      type: 'deploy',
      status: 'failed',
      finished_at: at(-1 - index / 100),
      error: `Fault ${index}`,
    }));
    await knex.batchInsert('jobs', many, 200);
    await knex('jobs').insert({ type: 'last', status: 'failed', started_at: at(-0.5), error: 'No end' });
    const statements: string[] = [];
    knex.on('query', ({ sql }) => statements.push(sql));
    const { problems, not_read: unread } = await problemsOf(knex, jobs({}));
    expect(unread).toEqual([]);
    expect(problems).toMatchObject([{ problem: 'failed_jobs', rows: 10_051 }]);
    expect(problems[0]).not.toHaveProperty('more');
    const reasons = problems[0]?.items.map(({ error }) => error);
    expect(reasons).toEqual(['No end', ...Array.from({ length: 9 }, (_, index) => `Fault ${index}`)]);
    const ofRows = statements.filter((sql) => / AS c0\b.* where /i.test(sql));
    expect(ofRows.length).toBeGreaterThan(3);
    expect(ofRows.filter((sql) => /\berror\b/.test(sql))).toHaveLength(1);
  });
});

describeOneEngine('Problems', (engine) => {
  test('of certificates that ended long ago are counted apart, and hide none that ends', async () => {
    const { knex } = await freshDatabase(engine);
    await createPanelTables(knex, ['ssl']);
    const ended = (index: number) => ({
      common_name: `old${index}.example`,
      status: 'expired',
      expires_at: at(-2000),
    });
    await knex('ssl').insert([
      ...Array.from({ length: 15 }, (_, index) => ended(index)),
      { common_name: 'old3.example', status: 'valid', expires_at: at(2000) },
      { common_name: 'shop.example', status: 'valid', expires_at: at(72) },
      { common_name: 'news.example', status: 'expired', expires_at: at(-72) },
    ]);
    const off = { accounts: false, backups: false, jobs: false };
    const { problems } = await problemsOf(knex, off);
    expect(problems).toMatchObject([
      {
        problem: 'ending_certificates',
        rows: 2,
        items: [{ common_name: 'shop.example' }, { common_name: 'news.example' }],
      },
      { problem: 'long_ended_certificates', rows: 14, items: [] },
    ]);
  });

  test('say nothing of backups to a token that may not read them, and of others to a token of one account', async () => {
    const { knex } = await freshDatabase(engine);
    await createPanelTables(knex, ['accounts', 'backups']);
    const account = { status: 'active', created_at: at(-2000) };
    await knex('accounts').insert([
      { ...account, username: 'anna' },
      { ...account, username: 'bert' },
    ]);
    await knex('backups').insert({ account_id: 1, status: 'succeeded', finished_at: at(-1) });
    const off = { jobs: false, ssl: false };
    const found = async (request: object) => (await problemsOf(knex, off, request)).problems;
    expect(await found({})).toMatchObject([
      { problem: 'accounts_without_backup', rows: 1, items: [{ username: 'bert' }] },
    ]);
    expect(await found({ scopes: ['accounts.read'] })).toEqual([]);
    expect(await found({ accountId: '1' })).toEqual([]);
    expect(await found({ accountId: '2' })).toMatchObject([{ rows: 1, items: [{ username: 'bert' }] }]);
  });
});
