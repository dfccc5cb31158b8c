import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../../fixture/databases';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';

describeEachEngine('The limit of a token', (engine) => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase(engine);
    panel = await startPanel({ db: database.knex, rateLimit: { requests: 3, windowSeconds: HOUR } });
  });

  const statuses = async (token: string, paths: readonly string[]) => {
    const found: number[] = [];
    for (const path of paths) found.push((await panel.get(path, token)).status);
    return found;
  };

  test('allows exactly as many requests as it states', async () => {
    expect(await statuses(await panel.token(), [ME, ME, ME, ME, ME])).toEqual([200, 200, 200, 429, 429]);
  });

  test('refuses the next request with the seconds until the window resets', async () => {
    const token = await panel.token();
    await statuses(token, [ME, ME, ME]);
    const { status, body, headers } = await panel.get(ME, token);
    const seconds = Number(headers.get('retry-after'));
    expect([status, body.error]).toEqual([429, { code: 'rate_limited', retry_after: seconds }]);
    expect(body.message).toBe(`Too many requests. The rate limit window resets in ${seconds} seconds.`);
    const secondsOfTheHour = HOUR - (Math.floor(Date.now() / 1000) % HOUR);
    expect(seconds - secondsOfTheHour).toBeGreaterThanOrEqual(0);
    expect(seconds - secondsOfTheHour).toBeLessThanOrEqual(30);
  });

  test('states in every answer how many requests are left', async () => {
    const token = await panel.token();
    const left: (string | undefined)[] = [];
    for (const path of [ME, ME, ME, ME]) {
      const { headers } = await panel.get(path, token);
      expect(headers.get('ratelimit-policy')).toBe(`"default";q=3;w=${HOUR}`);
      left.push(/^"default";r=(\d+);t=[1-9]\d*$/.exec(headers.get('ratelimit') ?? '')?.[1]);
    }
    expect(left).toEqual(['2', '1', '0', '0']);
  });

  test('counts requests that are refused for the scope, the path or the method', async () => {
    const token = await panel.token({ scopes: ['profile.read'] });
    expect(await statuses(token, ['/api/v1/domains.php', '/api/v1/nope.php'])).toEqual([403, 404]);
    expect((await panel.get(ME, token, { method: 'POST' })).status).toBe(405);
    expect(await statuses(token, [ME])).toEqual([429]);
  });

  test('is checked before the scope, the path and the method', async () => {
    const token = await panel.token({ scopes: ['profile.read'] });
    await statuses(token, [ME, ME, ME]);
    expect(await statuses(token, ['/api/v1/domains.php', '/api/v1/nope.php'])).toEqual([429, 429]);
    expect((await panel.get(ME, token, { method: 'POST' })).status).toBe(429);
  });

  test('counts HEAD like GET', async () => {
    const token = await panel.token();
    for (let request = 0; request < 3; request += 1) await panel.get(ME, token, { method: 'HEAD' });
    expect((await panel.get(ME, token, { method: 'HEAD' })).status).toBe(429);
  });

  test('counts the requests that it refuses', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'many', scopes: ['*'] }, AUTHOR);
    await statuses(token, [ME, ME, ME, ME, ME]);
    const row = await database.knex('panel_api_rate_limits').first('hits').where({ token_id: record.id });
    expect(Number(row.hits)).toBe(5);
  });

  test('is not touched by requests without a valid token', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'gone', scopes: ['*'] }, AUTHOR);
    await panel.api.tokens.revoke(record.id, AUTHOR);
    expect(await statuses(token, [ME, ME, ME, ME])).toEqual([401, 401, 401, 401]);
    const rows = await database.knex('panel_api_rate_limits').where({ token_id: record.id });
    expect(rows).toEqual([]);
  });

  test('is not reset if the clock of the database is set back', async () => {
    const { token, record } = await panel.api.tokens.create({ name: 'spent', scopes: ['*'] }, AUTHOR);
    await statuses(token, [ME, ME, ME]);
    const counted = database.knex('panel_api_rate_limits').where({ token_id: record.id });
    await counted.increment('window_start', HOUR);
    expect(await statuses(token, [ME])).toEqual([429]);
  });

  test('is not reset if the clock is set back by the longest window', async () => {
    const day = 24 * HOUR;
    const slow = await startPanel({ db: database.knex, rateLimit: { requests: 3, windowSeconds: day } });
    try {
      const { token, record } = await slow.api.tokens.create({ name: 'spent', scopes: ['*'] }, AUTHOR);
      for (let request = 0; request < 3; request += 1) await slow.get(ME, token);
      await database
        .knex('panel_api_rate_limits')
        .where({ token_id: record.id })
        .increment('window_start', day);
      const { status, headers } = await slow.get(ME, token);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(day);
    } finally {
      await slow.close();
    }
  });

  test('is not shared with other tokens', async () => {
    const [spent, other] = [await panel.token(), await panel.token()];
    await statuses(spent, [ME, ME, ME]);
    expect(await statuses(spent, [ME])).toEqual([429]);
    expect(await statuses(other, [ME, ME, ME])).toEqual([200, 200, 200]);
  });

  test('says that the window resets in 1 second, in the singular', async () => {
    const brief = await startPanel({ db: database.knex, rateLimit: { requests: 1, windowSeconds: 1 } });
    try {
      const token = await brief.token();
      let refused = await brief.get(ME, token);
      while (refused.status !== 429) refused = await brief.get(ME, token);
      expect(refused.body.message).toBe('Too many requests. The rate limit window resets in 1 second.');
    } finally {
      await brief.close();
    }
  });

  test('is reset once the stated seconds have passed', async () => {
    const brief = await startPanel({ db: database.knex, rateLimit: { requests: 1, windowSeconds: 1 } });
    try {
      const token = await brief.token();
      // A second may end between two requests.
      let refused = await brief.get(ME, token);
      while (refused.status !== 429) refused = await brief.get(ME, token);
      expect(refused.headers.get('retry-after')).toBe('1');
      await sleep(1000);
      expect((await brief.get(ME, token)).status).toBe(200);
    } finally {
      await brief.close();
    }
  });
});

describe('The limit of the memory store', () => {
  let database: TestDatabase;
  let panel: TestPanel;

  beforeAll(async () => {
    database = await freshDatabase('sqlite');
    const rateLimit = { requests: 3, windowSeconds: HOUR, store: 'memory' } as const;
    panel = await startPanel({ db: database.knex, rateLimit });
  });

  test('allows exactly as many requests of each token as it states', async () => {
    const [token, other] = [await panel.token(), await panel.token()];
    const answers = await Promise.all([ME, ME, ME, ME].map((path) => panel.get(path, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
    expect((await panel.get(ME, other)).status).toBe(200);
    const hits = await database.knex('panel_api_rate_limits').pluck('hits');
    expect(new Set(hits.map(Number))).toEqual(new Set([0]));
  });

  test('resets a window after the first request of its token', async () => {
    const token = await panel.token();
    const answers = await Promise.all([ME, ME, ME, ME].map((path) => panel.get(path, token)));
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe(String(HOUR));
  });
});
