import Redis from 'ioredis';
import { describeEachEngine, freshDatabase, type TestDatabase } from '../fixture/databases';
import { describeOwnServer } from '../fixture/describeOwnServer';
import type { PrivateServer } from './PrivateServer';
import { serverUrl } from './serverUrl';

describeEachEngine('a fresh database', (engine) => {
  const databases: TestDatabase[] = [];

  beforeAll(async () => {
    databases.push(await freshDatabase(engine), await freshDatabase(engine));
  });

  test('answers', async () => {
    expect(await databases[0]!.knex.select(databases[0]!.knex.raw('1 as one'))).toEqual([{ one: 1 }]);
  });

  test('shares nothing with another one', async () => {
    const [first, second] = databases.map((database) => database.knex) as [
      TestDatabase['knex'],
      TestDatabase['knex'],
    ];
    await first.schema.createTable('seen', (table) => table.integer('id'));
    expect(await first.schema.hasTable('seen')).toBe(true);
    expect(await second.schema.hasTable('seen')).toBe(false);
  });
});

test('Redis answers', async () => {
  const redis = new Redis(await serverUrl('redis'));
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
});

for (const kind of ['mariadb', 'postgresql', 'redis'] as const) {
  describeOwnServer(`an extra ${kind}`, kind, (start) => {
    let server: PrivateServer;

    beforeAll(async () => {
      server = await start();
    });

    test('comes back on its port after it was killed', async () => {
      const pid = server.pid!;
      await server.kill();
      expect(isRunning(pid)).toBe(false);
      await server.start();
      expect(isRunning(server.pid!)).toBe(true);
    });

    test('stops while it is frozen', async () => {
      const pid = server.pid!;
      process.kill(pid, 'SIGSTOP');
      await server.stop();
      expect(isRunning(pid)).toBe(false);
    });
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
