import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const HOUR_SECONDS = 3600;

describeEachEngine('The totals of use', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const hour = () => Math.floor(Date.now() / 1000 / HOUR_SECONDS);

  test('are of all tokens together, written or not, with their errors', async () => {
    const { tokens, usage } = panel.api;
    const [one, other] = [
      await tokens.create({ name: 'one', scopes: ['*'] }, AUTHOR),
      await tokens.create({ name: 'other', scopes: ['domains.read'] }, AUTHOR),
    ];
    await panel.get('/api/v1/me.php', one.token);
    await panel.get('/api/v1/me.php', other.token); // 403
    await usage.flush();
    await panel.get('/api/v1/nothing.php', other.token); // 404
    const total = { requests: 3, errors: 2 };
    expect(await usage.totals()).toEqual({ day: total, month: total });
  });

  test('are nothing before the first request', async () => {
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
  });

  test('leave out what was counted while the clock was a year ahead', async () => {
    await panel.api.tokens.list();
    const next = hour() + 24 * 366;
    await database.knex('panel_api_usage_hours').insert({ hour: next, status_class: 2, requests: 100 });
    const row = { token_id: 1, endpoint: 'me', status_class: 2, requests: 100 };
    await database.knex('panel_api_usage').insert({ ...row, day: Math.floor(next / 24) });
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
    expect(await panel.api.usage.today([1])).toEqual(new Map([[1, 0]]));
    expect(await panel.api.usage.ofToken(1)).toEqual([]);
  });

  test('include 24 hours and 30 days, and nothing before', async () => {
    await panel.api.tokens.list();
    const now = hour();
    const today = Math.floor(now / 24);
    await database.knex('panel_api_usage_hours').insert([
      { hour: now - 24, status_class: 2, requests: 100 },
      { hour: now - 23, status_class: 2, requests: 10 },
      { hour: now, status_class: 5, requests: 1 },
    ]);
    const row = { token_id: 1, endpoint: 'me', status_class: 2 };
    await database.knex('panel_api_usage').insert([
      { ...row, day: today - 30, requests: 1000 },
      { ...row, day: today - 29, requests: 7 },
      { ...row, day: today, requests: 2 },
    ]);
    expect(await panel.api.usage.totals()).toEqual({
      day: { requests: 11, errors: 1 },
      month: { requests: 9, errors: 0 },
    });
  });
});
