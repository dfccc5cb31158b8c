import { until } from '../../fixture/until';
import { runCommand } from '../../runCommand';
import { freePort } from '../../servers/freePort';
import type { PrivateServer } from '../../servers/PrivateServer';
import { requireProgram } from '../../servers/requireProgram';
import { askRedis, redisNode } from './redisNode';

const MASTERS = 3;

/** Starts a Redis Cluster of three masters, each with this number of replicas. The masters are the first three nodes. */
export async function startRedisCluster(replicas: 0 | 1): Promise<readonly PrivateServer[]> {
  const nodes: PrivateServer[] = [];
  for (let node = 0; node < MASTERS * (1 + replicas); node += 1) {
    const busPort = await freePort();
    nodes.push(
      await redisNode(['cluster-enabled yes', 'cluster-node-timeout 2000', `cluster-port ${busPort}`]),
    );
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const create = [
    '--cluster',
    'create',
    ...addresses,
    '--cluster-replicas',
    String(replicas),
    '--cluster-yes',
  ];
  await runCommand(requireProgram('redis-cli', 'redis-server'), create);
  for (const { port } of nodes)
    await until(async () => (await askRedis(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
  // A replica that has not copied its master yet would never take its place.
  for (const { port } of nodes.slice(MASTERS))
    await until(async () => (await askRedis(port, 'INFO', 'replication')).includes('master_link_status:up'));
  return nodes;
}
