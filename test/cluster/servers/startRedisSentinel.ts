import { until } from '../../fixture/until';
import type { PrivateServer } from '../../servers/PrivateServer';
import { askRedis, redisNode } from './redisNode';

export interface RedisGroup {
  readonly master: PrivateServer;
  readonly replica: PrivateServer;
  readonly sentinels: readonly PrivateServer[];
}

/** Starts a Redis with a replica, and three sentinels that watch them as the group `panel`. */
export async function startRedisSentinel(): Promise<RedisGroup> {
  const master = await redisNode([]);
  const replica = await redisNode([`replicaof 127.0.0.1 ${master.port}`]);
  await until(async () =>
    (await askRedis(replica.port, 'INFO', 'replication')).includes('master_link_status:up'),
  );
  const sentinels: PrivateServer[] = [];
  for (let sentinel = 0; sentinel < 3; sentinel += 1) {
    const watch = [
      `sentinel monitor panel 127.0.0.1 ${master.port} 2`,
      'sentinel down-after-milliseconds panel 1000',
      'sentinel failover-timeout panel 5000',
    ];
    sentinels.push(await redisNode(watch, { sentinel: true }));
  }
  // They find each other and the replica through the master.
  for (const { port } of sentinels)
    await until(async () =>
      /num-slaves,1,.*num-other-sentinels,2,/.test(await askRedis(port, 'SENTINEL', 'MASTER', 'panel')),
    );
  return { master, replica, sentinels };
}
