import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { closeAtEnd } from '../../fixture/closeAtEnd';
import { ScratchDirectory } from '../../ScratchDirectory';
import { freePort } from '../../servers/freePort';
import { PrivateServer } from '../../servers/PrivateServer';
import { requireProgram } from '../../servers/requireProgram';

/** Starts a Redis that keeps nothing on disk, with these settings, one per line. With `sentinel`, it is a sentinel. */
export async function redisNode(
  settings: readonly string[],
  { sentinel = false } = {},
): Promise<PrivateServer> {
  const directory = new ScratchDirectory('redis-node');
  const port = await freePort();
  // A sentinel rewrites its file.
  const file = join(directory.path, 'redis.conf');
  const common = ['bind 127.0.0.1', `port ${port}`, `dir ${directory.path}`];
  const memory = sentinel ? [] : ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0'];
  writeFileSync(file, [...common, ...memory, ...settings, ''].join('\n'));
  const server = new PrivateServer({
    directory,
    program: requireProgram('redis-server', 'redis-server'),
    args: [file, ...(sentinel ? ['--sentinel'] : [])],
    stopSignal: 'SIGTERM',
    url: `redis://127.0.0.1:${port}`,
    port,
    socket: join(directory.path, 'socket'),
    ready: async () => void (await askRedis(port, 'PING')),
  });
  closeAtEnd(() => server.stop());
  await server.start();
  return server;
}

/** Sends a command to the Redis at this port of this machine, and returns its answer as text. */
export async function askRedis(port: number, command: string, ...args: string[]): Promise<string> {
  const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return String(await client.call(command, ...args));
  } finally {
    client.disconnect();
  }
}
