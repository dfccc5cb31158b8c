import { randomBytes } from 'node:crypto';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { startPanel, type TestPanel } from '../../fixture/panel';
import { type RedisClient, redisClients } from '../../fixture/redisClients';
import { serverUrl } from '../../servers/serverUrl';

const ME = '/api/v1/me.php';

describe.each(Object.entries(redisClients))('The limit in Redis (%s)', (_name, connect) => {
  let database: TestDatabase;
  let redis: RedisClient;
  let tablePrefix: string;
  let panels: readonly TestPanel[];

  beforeEach(async () => {
    database = await freshDatabase('sqlite');
    redis = await connect(await serverUrl('redis'));
    // All tests share the server: a prefix of its own keeps the keys of each test apart.
    tablePrefix = `t${randomBytes(6).toString('hex')}_`;
    panels = [await start(HOUR), await start(HOUR)];
  });

  const start = (windowSeconds: number) => {
    const rateLimit = { requests: 3, windowSeconds, store: redis.store };
    return startPanel({ db: database.knex, tablePrefix, rateLimit });
  };

  test('allows exactly as many requests as it states, whichever panel they reach', async () => {
    const token = await panels[0]!.token();
    const answers = await Promise.all(
      Array.from({ length: 7 }, (_, index) => panels[index % 2]!.get(ME, token)),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 429, 429, 429, 429]);
  });

  test('refuses with the seconds until the window resets, and allows requests after them', async () => {
    const panel = await start(2);
    const token = await panel.token();
    // A window may end between two requests.
    let refused = await panel.get(ME, token);
    while (refused.status !== 429) refused = await panel.get(ME, token);
    const { code, retry_after: seconds } = refused.body.error;
    expect([code, refused.headers.get('retry-after')]).toEqual(['rate_limited', String(seconds)]);
    expect([1, 2]).toContain(seconds);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    expect((await panel.get(ME, token)).status).toBe(200);
  });

  test('is not shared with other tokens', async () => {
    const panel = panels[0]!;
    const [spent, other] = [await panel.token(), await panel.token()];
    for (let request = 0; request < 4; request += 1) await panel.get(ME, spent);
    expect((await panel.get(ME, other)).status).toBe(200);
  });
});
