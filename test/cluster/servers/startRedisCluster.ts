import { join } from 'node:path';
import { Redis } from 'ioredis';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { until } from '../../fixture/until';
import { runCommand } from '../../runCommand';
import { ScratchDirectory } from '../../ScratchDirectory';
import { freePort } from '../../servers/freePort';
import { PrivateServer } from '../../servers/PrivateServer';
import { requireProgram } from '../../servers/requireProgram';

/** Starts a Redis Cluster of three masters without replicas. */
export async function startRedisCluster(): Promise<readonly PrivateServer[]> {
  const nodes: PrivateServer[] = [];
  for (let node = 0; node < 3; node += 1) {
    const server = await createNode();
    closeAtEnd(() => server.stop());
    await server.start();
    nodes.push(server);
  }
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', '0', '--cluster-yes'];
  await runCommand(requireProgram('redis-cli', 'redis-server'), create);
  for (const { port } of nodes)
    await until(async () => (await ask(port, 'CLUSTER', 'INFO')).includes('cluster_state:ok'));
  return nodes;
}

async function createNode(): Promise<PrivateServer> {
  const directory = new ScratchDirectory('redis-node');
  const port = await freePort();
  const settings = {
    bind: '127.0.0.1',
    port: String(port),
    'cluster-port': String(await freePort()),
    dir: directory.path,
    save: '',
    appendonly: 'no',
    'cluster-enabled': 'yes',
    'cluster-node-timeout': '2000',
  };
  return new PrivateServer({
    directory,
    program: requireProgram('redis-server', 'redis-server'),
    args: Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    stopSignal: 'SIGTERM',
    url: `redis://127.0.0.1:${port}`,
    port,
    socket: join(directory.path, 'socket'),
    ready: async () => void (await ask(port, 'PING')),
  });
}

async function ask(port: number, command: string, ...args: string[]): Promise<string> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return String(await client.call(command, ...args));
  } finally {
    client.disconnect();
  }
}
