import { Cluster, Redis } from 'ioredis';
import { createCluster } from 'redis';
import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { askRedis } from './servers/redisNode';
import { startRedisCluster } from './servers/startRedisCluster';

const ME = '/api/v1/me.php';
const LIMIT = 20;

const clients = {
  ioredis: async (nodes: readonly PrivateServer[]) => {
    const client = new Cluster(nodes.map(({ port }) => ({ host: '127.0.0.1', port })));
    client.on('error', () => undefined);
    closeAtEnd(() => client.disconnect());
    await client.ping();
    return client;
  },
  'node-redis': async (nodes: readonly PrivateServer[]) => {
    const client = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) });
    client.on('error', () => undefined);
    closeAtEnd(() => client.destroy());
    await client.connect();
    return client;
  },
};

describe('A limit in a Redis Cluster of three masters', () => {
  let nodes: readonly PrivateServer[];

  beforeAll(async () => {
    nodes = await startRedisCluster(0);
  });

  test.each(Object.entries(clients))('is exact for tokens on all masters with %s', async (name, connect) => {
    const { knex: db } = await freshDatabase('sqlite');
    const rateLimit = { requests: LIMIT, windowSeconds: HOUR, store: await connect(nodes) };
    // The keys of the two clients differ by it.
    const tablePrefix = `${name.replace('-', '')}_`;
    const options = { db, tablePrefix, rateLimit };
    const panels = [await startPanel(options), await startPanel(options)];
    await awayFromHourEnd();
    for (let round = 0; round < 24; round += 1) {
      const token = await panels[0]!.token();
      const requests = Array.from({ length: LIMIT + 5 }, (_, index) => panels[index % 2]!.get(ME, token));
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([...Array(LIMIT).fill(200), ...Array(5).fill(429)]);
    }
    for (const { url } of nodes) expect(await keysOn(url, tablePrefix)).not.toEqual([]);
    const { body } = await panels[0]!.get('/api/v1/health.php', await panels[0]!.token());
    const check = body.data.checks.find((one: { name: string }) => one.name === 'rate_limiter');
    expect(check.status).toBe('pass');
  });

  test('ends while a master is lost, and begins anew when it is back, which the log says once', async () => {
    const { knex: db } = await freshDatabase('sqlite');
    const rateLimit = { requests: LIMIT, windowSeconds: HOUR, store: await clients.ioredis(nodes) };
    const panel = await startPanel({ db, tablePrefix: 'lost_', rateLimit });
    await awayFromHourEnd();
    const tokens: string[] = [];
    for (let number = 0; number < 24; number += 1) tokens.push(await panel.token());
    const statuses = async () =>
      new Set(await Promise.all(tokens.map(async (token) => (await panel.get(ME, token)).status)));
    for (let round = 0; round < 5; round += 1) expect(await statuses()).toEqual(new Set([200]));
    await nodes[0]!.kill();
    await until(async () =>
      (await askRedis(nodes[1]!.port, 'CLUSTER', 'INFO')).includes('cluster_state:fail'),
    );
    expect(await statuses()).toEqual(new Set([503]));
    await nodes[0]!.start();
    await until(async () => !(await statuses()).has(503));
    expect(panel.log.filter(({ message }) => message === 'panel-api counts lost')).toHaveLength(1);
  });
});

/** The keys with this beginning on one node. */
async function keysOn(url: string, beginning: string): Promise<readonly string[]> {
  const client = new Redis(url);
  try {
    return await client.keys(`${beginning}*`);
  } finally {
    client.disconnect();
  }
}
