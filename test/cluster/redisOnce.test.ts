import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { AUTHOR, startPanel } from '../fixture/panel';
import { type RedisPlace, redisStore } from '../fixture/processes/redisStore';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { askRedis, redisNode } from './servers/redisNode';
import { startRedisCluster } from './servers/startRedisCluster';
import { startRedisSentinel } from './servers/startRedisSentinel';

const ME = '/api/v1/me.php';
const LATE = 20;

const groups = {
  async server() {
    const server = await redisNode([]);
    return { masters: [server], urls: [server.url] };
  },
  async cluster() {
    const masters = await startRedisCluster(0);
    return { masters, urls: masters.map(({ url }) => url) };
  },
  async sentinel() {
    const { master, sentinels } = await startRedisSentinel();
    return { masters: [master], urls: sentinels.map(({ url }) => url) };
  },
};

describe.each(['server', 'cluster', 'sentinel'] as const)('A request in a Redis %s', (kind) => {
  let masters: readonly PrivateServer[];
  let urls: readonly string[];

  beforeAll(async () => {
    ({ masters, urls } = await groups[kind]());
  });

  test.each(['ioredis', 'node-redis'] as const)(
    'counts at most once although its connection breaks before the answer, with %s',
    async (client) => {
      await awayFromHourEnd();
      const { knex: db } = await freshDatabase('sqlite');
      const store = connect({ client, kind, urls });
      const tablePrefix = `${client.replace('-', '')}_`;
      const rateLimit = { requests: 1000, windowSeconds: HOUR, store };
      const panel = await startPanel({ db, tablePrefix, rateLimit });
      const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
      const status = async () => (await panel.get(ME, token)).status;
      await until(async () => (await status()) === 200);
      for (const { pid } of masters) process.kill(pid!, 'SIGSTOP');
      try {
        const late = await Promise.all(Array.from({ length: LATE }, status));
        expect(late).toEqual(Array(LATE).fill(503));
        breakConnections(masters);
      } finally {
        for (const { pid } of masters) process.kill(pid!, 'SIGCONT');
      }
      await until(async () => (await status()) === 200);
      // A client may send again what it has kept.
      await sleep(1500);
      const asked = panel.log.filter(({ message }) => message === 'panel-api request').length;
      const key = `${tablePrefix}:${record.id}:${HOUR}`;
      // The other masters of a cluster answer that the key is elsewhere.
      const counts = await Promise.all(masters.map(({ port }) => askRedis(port, 'GET', key).catch(() => '')));
      const counted = Number(counts.find((count) => /^\d+$/.test(count)));
      expect(counted).toBeGreaterThan(LATE);
      expect(counted).toBeLessThanOrEqual(asked);
    },
  );
});

function connect(place: RedisPlace): ReturnType<typeof redisStore> {
  // biome-ignore lint/suspicious/noExplicitAny: each of the two packages has types of its own.
  const store: any = redisStore(place);
  closeAtEnd(() => (place.client === 'ioredis' ? store.disconnect() : store.destroy()));
  return store;
}

/** Breaks the connections of this process to these servers. */
function breakConnections(servers: readonly PrivateServer[]): void {
  const ports = servers.map(({ port }) => port);
  // Node has it, but its types do not.
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): readonly Socket[] };
  const sockets = handles().filter(({ remotePort }) => ports.includes(remotePort ?? 0));
  expect(sockets.length).toBeGreaterThan(0);
  for (const socket of sockets) socket.destroy();
}
