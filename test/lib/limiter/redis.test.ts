import { randomBytes } from 'node:crypto';
import { freshDatabase } from '../../fixture/databases';
import { startPanel } from '../../fixture/panel';
import { redisClients } from '../../fixture/redisClients';
import { serverUrl } from '../../servers/serverUrl';

const ME = '/api/v1/me.php';

test.each(Object.entries(redisClients))(
  'The limit in Redis (%s) refuses with the seconds until the window resets, and allows requests after them',
  async (_name, connect) => {
    const { knex } = await freshDatabase('sqlite');
    const { store } = await connect(await serverUrl('redis'));
    const rateLimit = { requests: 3, windowSeconds: 2, store };
    // All tests share the server: a prefix of its own keeps the keys of each test apart.
    const tablePrefix = `t${randomBytes(6).toString('hex')}_`;
    const panel = await startPanel({ db: knex, tablePrefix, rateLimit });
    const token = await panel.token();
    // A window may end between two requests.
    let refused = await panel.get(ME, token);
    while (refused.status !== 429) refused = await panel.get(ME, token);
    const { code, retry_after: seconds } = refused.body.error;
    expect([code, refused.headers.get('retry-after')]).toEqual(['rate_limited', String(seconds)]);
    expect([1, 2]).toContain(seconds);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    expect((await panel.get(ME, token)).status).toBe(200);
  },
);
