import { freshDatabase } from '../fixture/databases';
import { startHost } from '../fixture/processes/hostProcess';
import type { RedisPlace } from '../fixture/processes/redisStore';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { longestOutageMs, notLoggedOnce, outcomes, startLoad } from './load';
import { NO_LIMIT, outcomesOfBurst } from './promises';
import { startRedisCluster } from './servers/startRedisCluster';
import { startRedisSentinel } from './servers/startRedisSentinel';

const ME = '/api/v1/me.php';
const LIMIT = 100;
const LIMITED_TOKENS = 12;

interface Started {
  readonly urls: readonly string[];
  /** A server that is killed, and whose replica takes its place. */
  readonly master: PrivateServer;
}

const groups: Readonly<Record<'cluster' | 'sentinel', () => Promise<Started>>> = {
  async cluster() {
    const nodes = await startRedisCluster(1);
    return { urls: nodes.map(({ url }) => url), master: nodes[0]! };
  },
  async sentinel() {
    const { master, sentinels } = await startRedisSentinel();
    return { urls: sentinels.map(({ url }) => url), master };
  },
};

describe.each([
  ['cluster', 'ioredis'],
  ['cluster', 'node-redis'],
  ['sentinel', 'ioredis'],
  ['sentinel', 'node-redis'],
] as const)('A limit in a Redis with replicas (%s, %s)', (kind, client) => {
  let started: Started;
  let redis: RedisPlace;

  beforeAll(async () => {
    started = await groups[kind]();
    redis = { client, kind, urls: started.urls };
  });

  const startHosts = async () => {
    const database = await freshDatabase('sqlite');
    const start = (fallback: 'none' | 'database') =>
      startHost(database, { options: { rateLimit: { ...NO_LIMIT, fallback } }, redis });
    return { hosts: [await start('none'), await start('none')], withFallback: await start('database') };
  };

  test('survives the loss of a master: 503 until its replica has taken its place, and no false 429', async () => {
    const { hosts, withFallback } = await startHosts();
    const free = await hosts[0]!.create();
    const load = startLoad(hosts, { token: free.token, paths: [ME] });
    const spared = startLoad([withFallback], { token: free.token, paths: [ME] });
    await load.untilGood(100);
    expect(await outcomesOfBurst(hosts, LIMIT)).toEqual({ '200': LIMIT, '429 rate_limited': 20 });
    const limited = [];
    for (let number = 0; number < LIMITED_TOKENS; number += 1)
      limited.push(await hosts[0]!.create({ rateLimit: LIMIT }));
    const loads = limited.map(({ token }) =>
      startLoad(hosts, { token, paths: [ME], clients: 1, pauseMs: 100 }),
    );
    const twice: ReturnType<typeof startLoad>[] = [];
    for (let number = 0; number < LIMITED_TOKENS; number += 1) {
      const { token } = await hosts[0]!.create({ rateLimit: LIMIT });
      twice.push(startLoad([withFallback], { token, paths: [ME], clients: 1, pauseMs: 20 }));
    }
    await load.untilGood(100);
    for (const one of twice) await untilNew(one, ({ status }) => status === 429);
    await started.master.kill();
    await load.untilGood(100);
    // Those of the lost master are served again last.
    for (const one of loads) await untilNew(one, ({ status }) => status !== 503);
    for (const one of loads) await untilNew(one, ({ status }) => status === 429);
    const asked = await load.stop();
    const all = await Promise.all(loads.map((one) => one.stop()));
    const bySpared = await spared.stop();
    expect(outcomes(bySpared)).toEqual({ 200: bySpared.length });
    const byFallback = await Promise.all(twice.map((one) => one.stop()));
    for (const one of byFallback) {
      const { 200: served = 0, '429 rate_limited': refused = 0 } = outcomes(one);
      expect(served + refused).toBe(one.length);
      expect(served).toBeGreaterThanOrEqual(LIMIT);
      expect(served).toBeLessThanOrEqual(2 * LIMIT);
    }
    expect(Object.keys(outcomes(asked)).filter((one) => one !== '503 unavailable')).toEqual(['200']);
    expect(Object.keys(outcomes(all.flat())).toSorted()).toEqual([
      '200',
      '429 rate_limited',
      '503 unavailable',
    ]);
    for (const one of all) {
      const { 200: served = 0, '503 unavailable': uncounted = 0 } = outcomes(one);
      expect(served + uncounted).toBeGreaterThanOrEqual(LIMIT);
      expect(served).toBeLessThanOrEqual(2 * LIMIT);
    }
    expect(Math.max(...all.map(longestOutageMs))).toBeLessThan(10_000);
    expect(await notLoggedOnce(hosts, [...asked, ...all.flat()])).toEqual([]);
    expect(await outcomesOfBurst(hosts, LIMIT)).toEqual({ '200': LIMIT, '429 rate_limited': 20 });
  });
});

/** Waits until one of the requests that the load sends from now on is answered so. */
async function untilNew(
  { asked }: ReturnType<typeof startLoad>,
  isSo: (one: (typeof asked)[number]) => boolean,
): Promise<void> {
  const since = performance.now();
  await until(() => asked.some((one) => one.sentMs >= since && isSo(one)));
}
