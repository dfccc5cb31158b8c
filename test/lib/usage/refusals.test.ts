import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

describeEachEngine('The refusals of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, usage: { keepDays: 10 }, rateLimit: { requests: 1000 } });
  });

  const create = () => panel.api.tokens.create({ name: 'x', scopes: ['profile.read'] }, AUTHOR);
  const ask = (path: string, token: string, id: string) =>
    panel.get(`/api/v1/${path}`, token, { headers: { 'X-Request-Id': id } });

  test('say when, where and why, written or not, the newest first, and nothing of the query', async () => {
    const { token, record } = await create();
    await ask('me.php', token, 'fine');
    await ask('domains.php', token, 'first');
    await ask('me.php?limit=secret-7', token, 'second');
    await panel.requestLines(3);
    const tokenId = record.id;
    const expected = [
      { endpoint: 'me', code: 'query_invalid', requestId: 'second', tokenId, at: expect.any(Number) },
      { endpoint: 'domains', code: 'scope_missing', requestId: 'first', tokenId, at: expect.any(Number) },
    ];
    const { usage } = panel.api;
    expect(await usage.refusals(record.id)).toEqual(expected);
    await usage.flush();
    await ask('secret-8.php', token, 'third');
    await panel.requestLines(4);
    const last = {
      endpoint: 'other',
      code: 'not_found',
      requestId: 'third',
      tokenId,
      at: expect.any(Number),
    };
    const refusals = await usage.refusals(record.id);
    expect(refusals).toEqual([last, ...expected]);
    expect(Math.abs(refusals[0]!.at - Date.now() / 1000)).toBeLessThan(60);
    await usage.flush();
    expect(JSON.stringify(await database.knex('panel_api_refusals'))).not.toContain('secret-');
  });

  test('go on after the token has ended, although no request is counted then', async () => {
    const { token, record } = await create();
    await panel.api.tokens.revoke(record.id, AUTHOR);
    await ask('me.php', token, 'late');
    await panel.api.usage.flush();
    expect(await database.knex('panel_api_refusals').where({ token_id: record.id })).toMatchObject([
      { code: 'token_revoked', request_id: 'late' },
    ]);
    expect(await panel.api.usage.today([record.id])).toEqual(new Map([[record.id, 0]]));
  });

  test('are the last twenty of each token', async () => {
    const [one, other] = [await create(), await create()];
    await ask('domains.php', other.token, 'only');
    for (let index = 1; index <= 25; index += 1) {
      await ask('domains.php', one.token, `id-${index}`);
      if (index % 10 === 0) await panel.api.usage.flush();
    }
    await panel.api.usage.flush();
    const ids = (await panel.api.usage.refusals(one.record.id)).map(({ requestId }) => requestId);
    expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => `id-${25 - index}`));
    expect(await panel.api.usage.refusals(other.record.id)).toHaveLength(1);
    const kept = await database.knex('panel_api_refusals').where({ token_id: one.record.id });
    expect(kept).toHaveLength(20);
  });

  test('name the tokens that were refused last, each with the last of them', async () => {
    const [one, other, never] = [await create(), await create(), await create()];
    await ask('domains.php', one.token, 'one');
    await panel.api.usage.flush();
    for (let index = 1; index <= 20; index += 1) await ask('domains.php', other.token, `other-${index}`);
    await ask('me.php', never.token, 'fine');
    await panel.api.usage.flush();
    const last = async (most: number) =>
      (await panel.api.usage.lastRefused(most)).map(({ tokenId, requestId }) => [tokenId, requestId]);
    const expected = [
      [other.record.id, 'other-20'],
      [one.record.id, 'one'],
    ];
    expect(await last(2)).toEqual(expected);
    expect(await last(1)).toEqual(expected.slice(0, 1));
    for (const most of [0, 101, 1.5, Number.NaN])
      await expect(last(most)).rejects.toThrow('The number of tokens must be a whole number from 1 to 100.');
  });

  test('are deleted when their day is older than those that are kept', async () => {
    const { token, record } = await create();
    const day = Math.floor(Date.now() / 86_400_000);
    const row = { token_id: record.id, endpoint: 'me', code: 'rate_limited', request_id: 'x' };
    const { knex } = database;
    await knex('panel_api_refusals').insert([
      { ...row, at: (day - 12) * 86_400 },
      { ...row, at: (day - 9) * 86_400 },
    ]);
    const count = { endpoint: 'me', status_class: 2, requests: 1 };
    await knex('panel_api_usage').insert({ ...count, token_id: record.id, day: day - 1 });
    const other = await startPanel({ db: knex, usage: { keepDays: 10 } });
    await other.get('/api/v1/me.php', token);
    await other.api.usage.flush();
    const kept = await other.api.usage.refusals(record.id);
    expect(kept.map(({ at }) => at)).toEqual([(day - 9) * 86_400]);
  });
});
