import { setTimeout as sleep } from 'node:timers/promises';
import Koa from 'koa';
import type { TestDatabase } from '../../fixture/databases';
import { describeOwnServer } from '../../fixture/describeOwnServer';
import { expectIdle } from '../../fixture/expectIdle';
import { ownDatabase } from '../../fixture/faults/ownDatabase';
import { livedMs } from '../../fixture/livedMs';
import { startPanel, type TestPanel } from '../../fixture/panel';
import type { PrivateServer } from '../../servers/PrivateServer';

const ME = '/api/v1/me.php';

// How another client locks the rows that every request needs, until its connection ends.
const LOCKS = {
  mariadb: ['LOCK TABLES panel_api_tokens WRITE'],
  postgresql: ['BEGIN', 'LOCK TABLE panel_api_tokens IN ACCESS EXCLUSIVE MODE'],
} as const;

for (const engine of ['mariadb', 'postgresql'] as const) {
  describeOwnServer(`While its database (${engine}) is down, a panel`, engine, (start) => {
    let server: PrivateServer;
    let database: TestDatabase;
    let panel: TestPanel;
    let token: string;

    const mount = () => {
      const app = new Koa();
      app.use(async (ctx, next) => {
        await next();
        if (ctx.path === '/panel') ctx.body = 'the panel';
      });
      return startPanel({ db: database.knex }, app);
    };

    beforeAll(async () => {
      server = await start();
      database = await ownDatabase(server, engine);
      panel = await mount();
      token = await panel.token();
    });

    async function expectUnavailable(asked: TestPanel): Promise<void> {
      const [{ status, body }, lived] = await livedMs(() => asked.get(ME, token));
      expect([status, body.error.code]).toEqual([503, 'unavailable']);
      // At once, and not at the deadline, which is half a minute here.
      expect(lived).toBeLessThan(5000);
    }

    test('answers 503 at once, and again as before when it is back', async () => {
      await server.kill();
      try {
        for (let request = 0; request < 20; request += 1) await expectUnavailable(panel);
      } finally {
        await server.start();
      }
      expect((await panel.get(ME, token)).status).toBe(200);
    });

    test('can be started, shows its own pages, and serves the API once the database is there', async () => {
      await server.kill();
      const late = await mount();
      try {
        expect((await fetch(`${late.url}/panel`)).status).toBe(200);
        for (let request = 0; request < 3; request += 1) await expectUnavailable(late);
        await server.start();
        expect((await late.get(ME, token)).status).toBe(200);
      } finally {
        await late.close();
      }
    });

    test('answers 503 to a request that was under way when it died', async () => {
      const blocker = await database.knex.client.acquireRawConnection();
      blocker.on('error', () => undefined);
      for (const lock of LOCKS[engine])
        await new Promise((resolve, reject) =>
          blocker.query(lock, (error: Error | null) => (error ? reject(error) : resolve(null))),
        );
      const waiting = panel.get(ME, token);
      await sleep(200);
      await server.kill();
      try {
        const { status, body } = await waiting;
        expect([status, body.error.code]).toEqual([503, 'unavailable']);
      } finally {
        await server.start();
      }
      expect((await panel.get(ME, token)).status).toBe(200);
      await expectIdle(database);
    });
  });
}
