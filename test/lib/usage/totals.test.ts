import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const TABLE = 'panel_api_usage';

describeEachEngine('The totals of use', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeEach(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const today = () => Math.floor(Date.now() / 86_400_000);

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

  /** Stores requests of all tokens to one endpoint on these days. */
  const store = (rows: readonly (readonly [day: number, statusClass: number, requests: number])[]) =>
    database.knex(TABLE).insert(
      rows.map(([day, status_class, requests]) => ({
        token_id: 0,
        day,
        endpoint: 'me',
        status_class,
        requests,
      })),
    );

  test('are nothing before the first request', async () => {
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
    expect(await panel.api.usage.ofAll()).toEqual([]);
  });

  test('leave out what was counted while the clock was a year ahead', async () => {
    await panel.api.tokens.list();
    const next = today() + 366;
    await store([[next, 2, 100]]);
    const row = { token_id: 1, endpoint: 'me', status_class: 2, requests: 100 };
    await database.knex(TABLE).insert({ ...row, day: next });
    const none = { requests: 0, errors: 0 };
    expect(await panel.api.usage.totals()).toEqual({ day: none, month: none });
    expect(await panel.api.usage.ofAll()).toEqual([]);
    expect(await panel.api.usage.today([1])).toEqual(new Map([[1, 0]]));
    expect(await panel.api.usage.ofToken(1)).toEqual([]);
  });

  test('include today and the 29 days before it, and nothing before', async () => {
    const now = today();
    const { token } = await panel.api.tokens.create({ name: 'x', scopes: ['*'] }, AUTHOR);
    await store([
      [now - 30, 2, 1000],
      [now - 29, 2, 8],
      [now - 1, 5, 100],
    ]);
    await panel.get('/api/v1/me.php', token);
    await panel.api.usage.flush();
    expect(await panel.api.usage.totals()).toEqual({
      day: { requests: 1, errors: 0 },
      month: { requests: 109, errors: 100 },
    });
    const day = new Date((now - 29) * 86_400_000).toISOString().slice(0, 10);
    const row = { day, endpoint: 'me', statusClass: 2, requests: 8, lastAt: null };
    const rows = await panel.api.usage.ofAll();
    expect(rows).toContainEqual(row);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(109);
  });

  test('do not read the rows of each token', async () => {
    const row = { token_id: 1, endpoint: 'me', status_class: 2, requests: 100, day: today() };
    await panel.api.tokens.list();
    await database.knex(TABLE).insert(row);
    expect(await panel.api.usage.ofAll()).toEqual([]);
  });
});
