import { Cluster, Redis } from 'ioredis';
import { createCluster } from 'redis';
import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase } from '../fixture/databases';
import { startPanel } from '../fixture/panel';
import type { PrivateServer } from '../servers/PrivateServer';
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
    nodes = await startRedisCluster();
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
