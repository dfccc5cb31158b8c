import { RedisFailure } from '../../../lib/limiter/storeLimiter';
import { HOUR } from '../../fixture/awayFromHourEnd';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { livedMs } from '../../fixture/livedMs';
import { AUTHOR, startPanel, type TestPanel } from '../../fixture/panel';
import { type RedisClient, redisClients } from '../../fixture/redisClients';
import type { PrivateServer } from '../../servers/PrivateServer';

const ME = '/api/v1/me.php';
const LIMIT = 2;

describeOwnServer('A limit whose Redis fails', 'redis', (start) => {
  describe.each(Object.entries(redisClients))('under %s', (_name, connect) => expectations(start, connect));
});

test('A failure is named by the code that begins the answer of Redis, without the rest of the answer', () => {
  const failure = RedisFailure.of(new Error('READONLY secret'));
  expect(failure).toMatchObject({ name: 'READONLY', message: 'Redis did not count a request.', facts: {} });
  const other = new Error('an answer with READONLY in it');
  expect(RedisFailure.of(other)).toBe(other);
});

function expectations(start: () => Promise<PrivateServer>, connect: (typeof redisClients)[string]): void {
  let server: PrivateServer;
  let database: TestDatabase;
  let redis: RedisClient;

  beforeAll(async () => {
    server = await start();
    database = await freshDatabase('sqlite');
    redis = await connect(server.url);
  });

  const mount = (fallback: 'none' | 'memory' | 'database') => {
    const rateLimit = { requests: LIMIT, windowSeconds: HOUR, store: redis.store, fallback };
    return startPanel({ db: database.knex, rateLimit });
  };

  const statuses = async (panel: TestPanel, token: string, requests: number) => {
    const found: number[] = [];
    for (let request = 0; request < requests; request += 1) found.push((await panel.get(ME, token)).status);
    return found;
  };

  async function expectUnavailable(panel: TestPanel, token: string): Promise<void> {
    const [{ status, body }, lived] = await livedMs(() => panel.get(ME, token));
    expect([status, body.error.code]).toEqual([503, 'unavailable']);
    expect(lived).toBeLessThan(1000);
  }

  const command = (...words: string[]) =>
    redis.store.call ? redis.store.call(...words) : redis.store.sendCommand(words);

  const cause503 = async (panel: TestPanel) => (await panel.requestLines(1))[0]!.fields.cause;

  const faults = {
    killed: { begin: () => server.kill(), end: () => server.start() },
    frozen: {
      begin: async () => void process.kill(server.pid!, 'SIGSTOP'),
      end: async () => void process.kill(server.pid!, 'SIGCONT'),
    },
  };

  describe.each(Object.entries(faults))('because it is %s', (_fault, { begin, end }) => {
    async function during(task: () => Promise<void>): Promise<void> {
      await begin();
      try {
        await task();
      } finally {
        await end();
        await redis.answers();
      }
    }

    test('answers 503 at once and never 429, and works again without a restart', async () => {
      const panel = await mount('none');
      const token = await panel.token();
      expect(await statuses(panel, token, 1)).toEqual([200]);
      await during(async () => {
        for (let request = 0; request <= LIMIT; request += 1) await expectUnavailable(panel, token);
      });
      expect(await statuses(panel, await panel.token(), LIMIT + 1)).toEqual([200, 200, 429]);
    });

    test.each(['memory', 'database'] as const)(
      'counts exactly in the fallback %s until it is back',
      async (fallback) => {
        const panel = await mount(fallback);
        const token = await panel.token();
        await during(async () => {
          expect(await statuses(panel, token, LIMIT + 2)).toEqual([200, 200, 429, 429]);
        });
      },
    );
  });

  test('does not ask the fallback if Redis reports that the limit is reached', async () => {
    const panel = await mount('database');
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    expect(await statuses(panel, token, LIMIT + 2)).toEqual([200, 200, 429, 429]);
    const hits = await database.knex('panel_api_rate_limits').where({ token_id: record.id }).pluck('hits');
    expect(hits.map(Number)).toEqual([0]);
  });

  test.each([
    ['a list', 'rpush', 'WRONGTYPE'],
    ['no number', 'set', 'ERR'],
  ])('answers 503 if the key holds %s', async (_what, name, cause) => {
    const panel = await mount('none');
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    await command(name, `panel_api_:${record.id}:${HOUR}`, 'x');
    await expectUnavailable(panel, token);
    expect(await cause503(panel)).toBe(cause);
  });

  test('answers 503 while it is a replica, and works again without a restart', async () => {
    const panel = await mount('none');
    const token = await panel.token();
    await command('replicaof', '127.0.0.1', '1');
    try {
      await expectUnavailable(panel, token);
      expect(await cause503(panel)).toBe('READONLY');
    } finally {
      await command('replicaof', 'no', 'one');
    }
    expect(await statuses(panel, token, 1)).toEqual([200]);
  });

  test('names the time limit of Redis in the log', async () => {
    const panel = await mount('none');
    const token = await panel.token();
    process.kill(server.pid!, 'SIGSTOP');
    try {
      await expectUnavailable(panel, token);
    } finally {
      process.kill(server.pid!, 'SIGCONT');
      await redis.answers();
    }
    expect(await cause503(panel)).toBe('RedisTimeout');
  });
}
