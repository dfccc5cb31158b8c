import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { compileFunction } from 'node:vm';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { describeOwnServer } from '../fixture/describeOwnServer';
import { silentProxy } from '../fixture/faults/silentProxy';
import { livedMs } from '../fixture/livedMs';
import { AUTHOR, startPanel } from '../fixture/panel';
import { until } from '../fixture/until';
import type { PrivateServer } from '../servers/PrivateServer';
import { Page } from './Page';

const ME = '/api/v1/me.php';
/** Longer than the clients' time limits, so that they open connections in vain. */
const LOST_MS = 2500;
const FALLBACK_STATUSES = { none: 503, database: 200, memory: 200 } as const;

const files = new Page('docs/how-to/redis.md').blocks.filter(({ info }) => info.startsWith('js '));

describeOwnServer('Redis as the page sets it up', 'redis', (start) => {
  let server: PrivateServer;
  let database: TestDatabase;

  beforeAll(async () => {
    server = await start();
    database = await freshDatabase('sqlite');
  });

  describe.each(files.map(({ info, text }) => [info.slice(3), text]))('in %s', (_name, text) => {
    // biome-ignore lint/suspicious/noExplicitAny: each of the two packages has types of its own.
    let rateLimit: any;

    beforeAll(async () => {
      rateLimit = await run(text, server.url);
    });

    test('counts under the key that the page names, which ends with its window', async () => {
      const tablePrefix = `t${randomBytes(6).toString('hex')}_`;
      const panel = await startPanel({ db: database.knex, tablePrefix, rateLimit });
      const { token, record } = await panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);
      expect((await panel.get(ME, token)).status).toBe(200);
      expect((await panel.get(ME, token)).status).toBe(200);
      const key = `${tablePrefix}:${record.id}:60`;
      expect(await rateLimit.store.get(key)).toBe('2');
      const seconds = Number(await rateLimit.store.ttl(key));
      expect(seconds).toBeGreaterThan(50);
      expect(seconds).toBeLessThanOrEqual(60);
      const hits = await database.knex(`${tablePrefix}rate_limits`).pluck('hits');
      expect(hits.map(Number)).toEqual([0]);
      const { body } = await panel.get('/api/v1/health.php', token);
      const check = body.data.checks.find(({ name }: { name: string }) => name === 'rate_limiter');
      expect(check).toMatchObject({ status: 'pass' });
    });

    test.each(Object.entries(FALLBACK_STATUSES))(
      'a full server that deletes nothing leads to the fallback %s: %i',
      async (fallback, status) => {
        const panel = await startPanel({ db: database.knex, rateLimit: { ...rateLimit, fallback } });
        const token = await panel.token();
        await configure(rateLimit.store, 'maxmemory', '1');
        try {
          expect((await panel.get(ME, token)).status).toBe(status);
        } finally {
          await configure(rateLimit.store, 'maxmemory', '0');
        }
        expect((await panel.get(ME, token)).status).toBe(200);
      },
    );

    test('a killed server leads to the fallback, and to a failed check', async () => {
      const panel = await startPanel({ db: database.knex, rateLimit });
      const token = await panel.token();
      await server.kill();
      try {
        expect((await panel.get(ME, token)).status).toBe(200);
        const { body } = await panel.get('/api/v1/health.php', token);
        const check = body.data.checks.find(({ name }: { name: string }) => name === 'rate_limiter');
        expect(check.status).toBe('fail');
      } finally {
        await server.start();
        await until(() => isReady(rateLimit.store));
      }
    });

    test('requests are served by the fallback while the network loses all packets', async () => {
      const { ask, proxy } = await mountThroughProxy(text, 'database');
      await ask();
      proxy.swallow();
      expect(await ask()).toBe(200);
    });
  });

  test('ioredis counts within two seconds after a network that lost all packets', async () => {
    const { ask, proxy } = await mountThroughProxy(files[0]!.text, 'none');
    await until(async () => (await ask()) === 200);
    proxy.swallow();
    for (const startedAt = performance.now(); performance.now() - startedAt < LOST_MS; await sleep(50))
      expect(await ask()).toBe(503);
    proxy.recover();
    const [, lived] = await livedMs(() => until(async () => (await ask()) === 200));
    expect(lived).toBeLessThan(2000);
  });

  async function mountThroughProxy(text: string, fallback: keyof typeof FALLBACK_STATUSES) {
    const proxy = await silentProxy(server.port);
    closeAtEnd(async () => proxy.close());
    const { store } = await run(text, Object.assign(new URL(server.url), { port: proxy.port }).href);
    const panel = await startPanel({ db: database.knex, rateLimit: { store, fallback } });
    const token = await panel.token();
    return { ask: async () => (await panel.get(ME, token)).status, proxy };
  }
});

/** Runs a file of the page with the Redis at this URL, and returns what it exports. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function run(text: string, url: string): Promise<any> {
  const module = { exports: {} as { store?: Parameters<typeof isReady>[0] } };
  const code = text.replace(/redis:\/\/127\.0\.0\.1:6379/, url);
  compileFunction(code, ['require', 'module', 'console'])(require, module, { error: () => undefined });
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const store = module.exports.store as any;
  closeAtEnd(() => (store.disconnect ?? store.destroy).call(store));
  await until(() => isReady(store));
  return module.exports;
}

const isReady = (store: { readonly isReady?: boolean; readonly status?: string }) =>
  store.isReady ?? store.status === 'ready';

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function configure(store: any, name: string, value: string): Promise<void> {
  if (store.call) await store.call('config', 'set', name, value);
  else await store.sendCommand(['config', 'set', name, value]);
}
