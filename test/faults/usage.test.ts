import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from '../fixture/databases';
import { describeOwnServer } from '../fixture/describeOwnServer';
import { AUTHOR, startPanel, type TestPanel } from '../fixture/panel';
import type { PrivateServer } from '../servers/PrivateServer';
import { until } from '../usage/until';
import { writtenRequests } from '../usage/writtenRequests';
import { freeze } from './freeze';
import { ownDatabase } from './ownDatabase';

const ME = '/api/v1/me.php';
const REQUESTS = 7;

for (const engine of ['mariadb', 'postgresql'] as const) {
  describeOwnServer(`The counts of use (${engine})`, engine, (start) => {
    let server: PrivateServer;
    let database: TestDatabase;
    let panel: TestPanel;

    beforeAll(async () => {
      server = await start();
      database = await ownDatabase(server, engine);
      panel = await startPanel({ db: database.knex, deadlineMs: 500 });
    });

    afterAll(async () => {
      await panel?.close();
      await database?.drop();
      await server?.stop();
    });

    const create = () => panel.api.tokens.create({ name: 'test', scopes: ['*'] }, AUTHOR);

    const use = async (token: string) => {
      for (let request = 0; request < REQUESTS; request += 1)
        expect((await panel.get(ME, token)).status).toBe(200);
    };

    const failures = () =>
      panel.log.filter(({ message }) => message === 'panel-api usage not written').length;
    const recoveries = () =>
      panel.log.filter(({ message }) => message === 'panel-api usage written again').length;

    test('come whole and once through a database that froze before they were written', async () => {
      const { token, record } = await create();
      await use(token);
      const thaw = freeze(server);
      try {
        await until(() => failures() === 1);
        // And once more: what is given up again and again must not be carried out each time.
        await sleep(2500);
      } finally {
        thaw();
      }
      await until(() => recoveries() === 1);
      await panel.api.usage.flush();
      expect(await writtenRequests(database.knex, record.id)).toBe(REQUESTS);
    });

    test('come whole through a database that was killed before they were written', async () => {
      const { token, record } = await create();
      await use(token);
      await server.kill();
      try {
        await until(() => failures() === 2);
      } finally {
        await server.start();
      }
      await until(() => recoveries() === 2);
      await use(token);
      await panel.api.usage.flush();
      expect(await writtenRequests(database.knex, record.id)).toBe(2 * REQUESTS);
    });
  });
}
