import { Redis } from 'ioredis';
import { createClient } from 'redis';

/** A client as a panel holds it, connected. */
export interface RedisClient {
  // biome-ignore lint/suspicious/noExplicitAny: each of the two packages has types of its own.
  readonly store: any;
  /** Resolves once the server answers it. */
  answers(): Promise<void>;
  close(): void;
}

/** One way to connect for each package that the module supports; errors are the panel's to log. */
export const redisClients: Readonly<Record<string, (url: string) => Promise<RedisClient>>> = {
  async ioredis(url) {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50 });
    client.on('error', () => undefined);
    await client.connect();
    return {
      store: client,
      answers: () => untilAnswered(() => client.ping()),
      close: () => client.disconnect(),
    };
  },
  async 'node-redis'(url) {
    const client = createClient({ url, socket: { reconnectStrategy: () => 50 } });
    client.on('error', () => undefined);
    await client.connect();
    return {
      store: client,
      answers: () => untilAnswered(() => client.ping()),
      close: () => client.destroy(),
    };
  },
};

async function untilAnswered(ping: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const answered = await ping().then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
