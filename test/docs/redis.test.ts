import { randomBytes } from 'node:crypto';
import { compileFunction } from 'node:vm';
import { closeAtEnd } from '../fixture/closeAtEnd';
import { freshDatabase, type TestDatabase } from '../fixture/databases';
import { describeOwnServer } from '../fixture/describeOwnServer';
import { AUTHOR, startPanel } from '../fixture/panel';
import type { PrivateServer } from '../servers/PrivateServer';
import { Page } from './Page';

const ME = '/api/v1/me.php';
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
      const module = { exports: {} };
      const code = text.replace(/redis:\/\/127\.0\.0\.1:6379/, server.url);
      compileFunction(code, ['require', 'module', 'console'])(require, module, { error: () => undefined });
      rateLimit = module.exports;
      const { store } = rateLimit;
      closeAtEnd(() => (store.disconnect ?? store.destroy).call(store));
      for (let attempt = 0; attempt < 200 && !isReady(store); attempt += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
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
      expect(await database.knex(`${tablePrefix}rate_limits`)).toEqual([]);
      const { body } = await panel.get('/api/v1/health.php', token);
      const check = body.data.checks.find(({ name }: { name: string }) => name === 'rate_limiter');
      expect(check.status).toBe('pass');
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
        for (let attempt = 0; attempt < 200 && !isReady(rateLimit.store); attempt += 1)
          await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  });
});

const isReady = (store: { readonly isReady?: boolean; readonly status?: string }) =>
  store.isReady ?? store.status === 'ready';

// biome-ignore lint/suspicious/noExplicitAny: as above.
async function configure(store: any, name: string, value: string): Promise<void> {
  if (store.call) await store.call('config', 'set', name, value);
  else await store.sendCommand(['config', 'set', name, value]);
}
