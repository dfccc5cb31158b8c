import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const SUMS = 'panel_api_usage_tokens';

describeEachEngine('The sums of tokens', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const create = () => panel.api.tokens.create({ name: 'x', scopes: ['profile.read'] }, AUTHOR);

  const use = async (token: string, times = 1) => {
    for (let time = 0; time < times; time += 1) await panel.get('/api/v1/me.php', token);
    await panel.api.usage.flush();
  };

  test('name the busiest tokens, and 0 for a token without requests', async () => {
    const [one, two, none] = [await create(), await create(), await create()];
    await use(one.token);
    await use(two.token, 3);
    await use(one.token);
    const { usage } = panel.api;
    expect([...(await usage.sums({ most: 5 }))]).toEqual([
      [two.record.id, 3],
      [one.record.id, 2],
    ]);
    expect([...(await usage.sums({ most: 1 }))]).toEqual([[two.record.id, 3]]);
    expect([...(await usage.sums({ ids: [none.record.id, one.record.id] }))]).toEqual([
      [none.record.id, 0],
      [one.record.id, 2],
    ]);
  });

  test('are for a named token those of its page, also before a sum is made anew or a count is written', async () => {
    const { token, record } = await create();
    const { knex } = database;
    const { usage } = panel.api;
    const day = Math.floor(Date.now() / 86_400_000);
    const count = { token_id: record.id, endpoint: 'domains', status_class: 2 };
    await knex('panel_api_usage').insert([
      { ...count, day: day - 31, requests: 1000 },
      { ...count, day: day - 28, requests: 40 },
    ]);
    await knex(SUMS).insert({ token_id: record.id, requests: 1040, settled: 0 });
    await panel.get('/api/v1/me.php', token);
    const rows = await usage.ofToken(record.id);
    expect(rows.map(({ requests }) => requests)).toEqual([1, 40]);
    expect(await usage.sums({ ids: [record.id] })).toEqual(new Map([[record.id, 41]]));
  });

  test('of named tokens are added up by the database', async () => {
    const { record } = await create();
    const { knex } = database;
    const day = Math.floor(Date.now() / 86_400_000);
    const counts = Array.from({ length: 20 }, (_, ago) =>
      ['domains', 'jobs'].map((endpoint) => ({ day: day - ago, endpoint, requests: 3 })),
    );
    const whose = { token_id: record.id, status_class: 2 };
    await knex('panel_api_usage').insert(counts.flat().map((count) => ({ ...count, ...whose })));
    const rows: unknown[] = [];
    const note = (found: readonly unknown[], { sql }: { sql: string }) => {
      if (/panel_api_usage\b/.test(sql)) rows.push(...found);
    };
    knex.on('query-response', note);
    expect(await panel.api.usage.sums({ ids: [record.id] })).toEqual(new Map([[record.id, 120]]));
    knex.removeListener('query-response', note);
    expect(rows).toHaveLength(1);
  });

  test('are made anew on each day from the counts of 30 days, also after a clock was wrong', async () => {
    const { token, record } = await create();
    const { knex } = database;
    const day = Math.floor(Date.now() / 86_400_000);
    await use(token);
    const count = { token_id: record.id, endpoint: 'domains', status_class: 2 };
    await knex('panel_api_usage').insert([
      { ...count, day: day - 30, requests: 1000 },
      { ...count, day: day - 29, requests: 40 },
    ]);
    await knex(SUMS)
      .where({ token_id: record.id })
      .update({ requests: 999, settled: day + 400 });
    // The sums are made anew with the first write of a process, once there is a count of an earlier day.
    const other = await startPanel({ db: knex });
    await other.get('/api/v1/me.php', token);
    await other.api.usage.flush();
    expect((await panel.api.usage.sums({ most: 100 })).get(record.id)).toBe(42);
    expect(await knex(SUMS).whereNot({ settled: day })).toEqual([]);
  });
});
