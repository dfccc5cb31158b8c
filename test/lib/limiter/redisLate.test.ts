import { Redis } from 'ioredis';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { AUTHOR, startPanel } from '../../fixture/panel';
import { type RedisClient, redisClients } from '../../fixture/redisClients';
import type { PrivateServer } from '../../servers/PrivateServer';
import '../../fixture/tryAgain';

const ME = '/api/v1/me.php';
const LIMIT = 100;
const DAY = 86_400;

describeOwnServer('A request that Redis counts after its time limit', 'redis', (start) => {
  let server: PrivateServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await start();
    database = await freshDatabase('sqlite');
  });

  /** Sends requests while Redis is frozen. Returns the count after it, and the panel to go on with. */
  async function countAfterFreeze(redis: RedisClient, late: number, cut: () => void = () => undefined) {
    const rateLimit = { requests: LIMIT, windowSeconds: DAY, store: redis.store };
    const panel = await startPanel({ db: database.knex, rateLimit });
    const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
    const statuses = async (requests: number) => {
      const answers = await Promise.all(Array.from({ length: requests }, () => panel.get(ME, token)));
      return answers.map(({ status }) => status);
    };
    expect(await statuses(1)).toEqual([200]);
    process.kill(server.pid!, 'SIGSTOP');
    try {
      expect(await statuses(late)).toEqual(Array(late).fill(503));
      cut();
    } finally {
      process.kill(server.pid!, 'SIGCONT');
    }
    await redis.answers();
    const count = Number(await redis.store.get(`panel_api_:${record.id}:${DAY}`));
    return { count, statuses };
  }

  test.each(Object.entries(redisClients))(
    'counts once and leaves the rest of the limit with %s',
    async (_name, connect) => {
      const { count, statuses } = await countAfterFreeze(await connect(server.url), 40);
      expect(count).toBe(41);
      // On a busy machine Redis may be late again, and the request is then counted too.
      const within = [];
      for (let request = 41; request < LIMIT; request += 1) within.push(...(await statuses(1)));
      expect(within).toContain(200);
      expect(within).not.toContain(429);
      const beyond = [];
      while (beyond.length < 10 && beyond.at(-1) !== 429) beyond.push(...(await statuses(1)));
      expect(beyond).not.toContain(200);
      expect(beyond.at(-1)).toBe(429);
    },
  );

  test.each([
    ['twice with the defaults of ioredis, which sends it again', {}, 81],
    ['once with autoResendUnfulfilledCommands: false', { autoResendUnfulfilledCommands: false }, 41],
  ])('counts %s, if its connection breaks', async (_how, options, expected) => {
    const client = new Redis(server.url, { ...options, retryStrategy: () => 50 });
    client.on('error', () => undefined);
    closeAtEnd(() => client.disconnect());
    const answers = async () => void (await client.ping());
    await answers();
    const { count } = await countAfterFreeze({ store: client, answers }, 40, () => client.stream.destroy());
    expect(count).toBe(expected);
  });
});
