import { awayFromHourEnd, HOUR } from '../fixture/awayFromHourEnd';
import { freshDatabase } from '../fixture/databases';
import { startHost } from '../fixture/processes/hostProcess';
import { until } from '../fixture/until';
import { longestOutageMs, outcomes, startLoad } from './load';
import { askRedis } from './servers/redisNode';
import { startRedisSentinel } from './servers/startRedisSentinel';

const LIMIT = 100;
const BEFORE = 60;
const ME = '/api/v1/me.php';

test.each(['ioredis', 'node-redis'] as const)(
  'A planned failover by Sentinel loses no count, and needs no restart, with %s',
  async (client) => {
    const { replica, sentinels } = await startRedisSentinel();
    const redis = { client, kind: 'sentinel', urls: sentinels.map(({ url }) => url) } as const;
    const rateLimit = { requests: 1_000_000, windowSeconds: HOUR };
    const host = await startHost(await freshDatabase('sqlite'), { options: { rateLimit }, redis });
    const { token } = await host.create({ rateLimit: LIMIT });
    const load = startLoad([host], { token: (await host.create()).token, paths: [ME] });
    await load.untilGood(20);
    await awayFromHourEnd();
    const serve = async (requests: number) => {
      const answers = await Promise.all(Array.from({ length: requests }, () => host.get(ME, token)));
      return answers.filter(({ status }) => status === 200).length;
    };
    expect(await serve(BEFORE)).toBe(BEFORE);
    await askRedis(sentinels[0]!.port, 'SENTINEL', 'FAILOVER', 'panel');
    // The sentinels close all connections to a server whose role changes.
    const role = () => askRedis(replica.port, 'ROLE').catch(() => '');
    await until(async () => (await role()).startsWith('master'));
    await load.untilGood(200);
    expect(await serve(LIMIT)).toBe(LIMIT - BEFORE);
    const asked = await load.stop();
    expect(Object.keys(outcomes(asked)).filter((one) => one !== '503 unavailable')).toEqual(['200']);
    expect(longestOutageMs(asked)).toBeLessThan(5000);
  },
);
