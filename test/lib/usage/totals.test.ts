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

  /** Stores requests to one endpoint in these hours. */
  const store = (rows: readonly (readonly [hour: number, statusClass: number, requests: number])[]) =>
    database
      .knex('panel_api_usage_hours')
      .insert(
        rows.map(([at, status_class, requests]) => ({ hour: at, endpoint: 'me', status_class, requests })),
      );

  test('are nothing before the first request', async () => {
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
    expect(await panel.api.usage.ofAll()).toEqual([]);
  });

  test('leave out what was counted while the clock was a year ahead', async () => {
    await panel.api.tokens.list();
    const next = hour() + 24 * 366;
    await store([[next, 2, 100]]);
    const row = { token_id: 1, endpoint: 'me', status_class: 2, requests: 100 };
    await database.knex('panel_api_usage').insert({ ...row, day: Math.floor(next / 24) });
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
    expect(await panel.api.usage.ofAll()).toEqual([]);
    expect(await panel.api.usage.today([1])).toEqual(new Map([[1, 0]]));
    expect(await panel.api.usage.ofToken(1)).toEqual([]);
  });

  test('include 24 hours and 30 days, and nothing before', async () => {
    const { tokens, usage } = panel.api;
    const { token } = await tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    const now = hour();
    const first = (Math.floor(now / 24) - 29) * 24;
    await store([
      [first - 1, 2, 1000],
      [first, 2, 7],
      [first + 23, 2, 1],
      [now - 24, 2, 100],
      [now - 23, 2, 10],
      [now, 5, 1],
    ]);
    await panel.get('/api/v1/me.php', token);
    expect(await usage.totals()).toEqual({
      day: { requests: 12, errors: 1 },
      month: { requests: 120, errors: 1 },
    });
    const day = new Date(first * 3_600_000).toISOString().slice(0, 10);
    const row = { day, endpoint: 'me', statusClass: 2, requests: 8, lastAt: null };
    const rows = await usage.ofAll();
    expect(rows).toContainEqual(row);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(120);
  });
});
