import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';

const ME = '/api/v1/me.php';
const DAY = 24 * HOUR;
// Windows of this length begin at no full hour.
const ODD = 86_399;

describeEachEngine('A window whose length is changed', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex });
  });

  const window = (rateLimitWindowSeconds: number) =>
    panel.api.settings.change({ rateLimitWindowSeconds, rateLimitRequests: 3 }, AUTHOR);

  const ask = async (token: string) => {
    const { status, headers } = await panel.get(ME, token);
    const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    return { status, left: Number(left), seconds: Number(seconds) };
  };

  /** Seconds until a window of this length ends that begins at a multiple of it. */
  const untilEnd = (length: number) => length - (Math.floor(Date.now() / 1000) % length);

  test('that grows keeps the count of its requests, and ends as its new length requires', async () => {
    await window(HOUR);
    const token = await panel.token();
    for (let request = 0; request < 3; request += 1) await ask(token);
    await window(DAY);
    const { status, left, seconds } = await ask(token);
    expect([status, left]).toEqual([429, 0]);
    expect(Math.abs(seconds - untilEnd(DAY))).toBeLessThan(30);
  });

  test('that shrinks forgets the requests before its new beginning', async () => {
    await window(DAY);
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    for (let request = 0; request < 4; request += 1) await ask(token);
    // As if the day had begun well before this hour.
    const counted = database.knex('panel_api_rate_limits').where({ token_id: record.id });
    await counted.clone().decrement('window_start', DAY);
    await window(HOUR);
    const { status, left, seconds } = await ask(token);
    expect([status, left]).toEqual([200, 2]);
    expect(Math.abs(seconds - untilEnd(HOUR))).toBeLessThan(30);
  });

  test('never ends later than its length, however the old one began', async () => {
    const token = await panel.token();
    for (const length of [HOUR, ODD, 7, DAY, 86_311, HOUR, 1]) {
      await window(length);
      const { seconds } = await ask(token);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(length);
      const away = Math.abs(seconds - untilEnd(length));
      expect(Math.min(away, length - away)).toBeLessThan(30);
    }
  });
});

describe('A changed window of the memory store', () => {
  test('begins anew, and the old one continues if it is set again', async () => {
    const database = await freshDatabase('sqlite');
    const panel = await startPanel({ db: database.knex, rateLimit: { store: 'memory' } });
    const token = await panel.token({ rateLimit: 2 });
    const ask = async (rateLimitWindowSeconds: number) => {
      await panel.api.settings.change({ rateLimitWindowSeconds }, AUTHOR);
      const { status, headers } = await panel.get(ME, token);
      return [status, headers.get('ratelimit-policy'), headers.get('ratelimit')];
    };
    expect(await ask(DAY)).toEqual([
      200,
      `"default";q=2;w=${DAY}`,
      expect.stringMatching(/^"default";r=1;t=86\d{3}$/),
    ]);
    expect(await ask(HOUR)).toEqual([
      200,
      `"default";q=2;w=${HOUR}`,
      expect.stringMatching(/^"default";r=1;t=3[56]\d\d$/),
    ]);
    expect((await ask(HOUR))[0]).toBe(200);
    expect((await ask(HOUR))[0]).toBe(429);
    expect((await ask(DAY))[0]).toBe(200);
    expect((await ask(DAY))[0]).toBe(429);
  });
});
